import {
  commitRefused,
  connectionLost,
  duplicateKey,
  isDatabaseTrouble,
  lostARace,
  statementIsWrong,
  valuesRefused,
} from './error-kinds.js';

const server = (errno: number, more: object = {}): Error =>
  Object.assign(new Error('said by the server'), { errno, ...more });
const network = (code: string): Error => Object.assign(new Error(code), { code, errno: -104 });

describe('what went wrong is told by numbers and codes, never by words that a message could contain', () => {
  it.each([1020, 1205, 1213])('DB-04: when the number is %d, then the whole transaction may be repeated', (errno) => {
    expect(lostARace(server(errno))).toBe(true);
    expect(isDatabaseTrouble(server(errno))).toBe(true);
  });

  it.each([1021, 1040, 1053, 1114, 1130, 1206, 1290, 1317, 1836, 1874, 1927, 1969, 2003, 3024, 3032, 3100, 4151, 9001])(
    'when the server says %d, then it is its own trouble and not worth a repeat at once',
    (errno) => {
      expect(lostARace(server(errno))).toBe(false);
      expect(isDatabaseTrouble(server(errno))).toBe(true);
    },
  );

  it.each([1048, 1062, 1064, 1264, 1364, 1366, 1406, 1452, 3819, 4025])(
    'when the server says %d, then the statement is to blame',
    (errno) => {
      expect(isDatabaseTrouble(server(errno))).toBe(false);
    },
  );

  it.each(['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'PROTOCOL_CONNECTION_LOST', 'DB_DEADLINE'])(
    'when the code is %s, then the connection failed',
    (code) => {
      expect(connectionLost(network(code))).toBe(true);
      expect(isDatabaseTrouble(network(code))).toBe(true);
    },
  );

  it.each([
    [1064, '42000'],
    [1050, '42S01'],
    [1062, '23000'],
    [1406, '22001'],
  ])('when the server says %d, then no waiting cures the statement', (errno, sqlState) => {
    expect(statementIsWrong(server(errno, { sqlState }))).toBe(true);
  });

  it.each([
    [1044, '42000'],
    [1049, '42000'],
    [1142, '42000'],
    [1054, '42S22'],
    [1146, '42S02'],
    [1203, '42000'],
    [1226, '42000'],
    [1205, 'HY000'],
    [1213, '40001'],
    [1021, 'HY000'],
    [1040, '08004'],
  ])('when the server says %d, then the same statement may be carried out later', (errno, sqlState) => {
    expect(statementIsWrong(server(errno, { sqlState }))).toBe(false);
  });

  it.each([
    [1406, '22001', true],
    [1366, 'HY000', true],
    [3819, 'HY000', true],
    [1118, '42000', true],
    [1153, '08S01', true],
    [4025, '23000', true],
    [1364, 'HY000', false],
    [1205, 'HY000', false],
    [9999, 'HY000', false],
    [9999, undefined, false],
  ])('when the server says %d (%s), then the values themselves are refused: %s', (errno, sqlState, refused) => {
    expect(valuesRefused(server(errno, { sqlState }))).toBe(refused);
  });

  it('when a value in the text says that a connection is in closed state, then that is only a value', () => {
    const error = server(1062, { message: `Duplicate entry 'connection is in closed state' for key 'one_message'` });
    expect(connectionLost(error)).toBe(false);
    expect(isDatabaseTrouble(error)).toBe(false);
  });

  it.each([undefined, null, 'text', 5, {}, new Error('plain')])(
    'when %p is thrown, then it is not the database’s trouble',
    (thrown) => {
      expect(isDatabaseTrouble(thrown)).toBe(false);
      expect(duplicateKey(thrown)).toBeNull();
    },
  );
});

describe('an error at COMMIT', () => {
  it.each([1205, 1213, 1290, 3100, 3101])('when the server answers %d, then nothing was stored', (errno) => {
    expect(commitRefused(server(errno))).toBe(true);
  });

  it.each([1053, 1180, 1317, 1927, 2006, 2013, 4031])(
    'DB-01: when the server answers %d, then nobody knows',
    (errno) => {
      expect(commitRefused(server(errno))).toBe(false);
    },
  );

  it('DB-01: when the line broke, whatever the code, then nobody knows', () => {
    for (const error of [
      network('ECONNRESET'),
      network('ENETDOWN'),
      new Error('no number'),
      server(1213, { fatal: true }),
    ]) {
      expect(commitRefused(error)).toBe(false);
    }
  });
});

describe('DB-05: a duplicate is told by its key', () => {
  it.each([
    [`Duplicate entry 'a' for key 'one_order'`, 'one_order'],
    [`Duplicate entry 'a' for key 'orders.one_order'`, 'one_order'],
    [`Duplicate entry 'x' for key 'PRIMARY' for key 'orders.one_order'`, 'one_order'],
    [`Duplicate entry '1' for key 'orders.PRIMARY'`, 'PRIMARY'],
  ])('DB-05: when the server says %p, then the key is %p', (sqlMessage, key) => {
    expect(duplicateKey(server(1062, { sqlMessage }))).toBe(key);
  });

  it('when the error is another one, then there is no key', () => {
    expect(duplicateKey(server(1213, { sqlMessage: `for key 'one_order'` }))).toBeNull();
  });
});
