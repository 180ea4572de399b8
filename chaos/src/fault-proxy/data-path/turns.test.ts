import { Bench } from '../testkit/bench.js';
import { Turns } from './turns.js';

const CHUNK_BYTES = 64 * 1024;
const CHUNKS_A_TURN = 32;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('the turns of the event loop are shared', () => {
  let turns: Turns;
  let woken: number[];
  const take = (bytes: number, who = 0): boolean => turns.take(bytes, () => void woken.push(who));

  beforeEach(() => {
    turns = new Turns();
    woken = [];
    for (let chunk = 0; chunk < CHUNKS_A_TURN; chunk++) expect(take(CHUNK_BYTES)).toBe(true);
  });

  it('when the bytes of a turn are used up, then whoever is ahead waits, and the others do not', async () => {
    expect([take(CHUNK_BYTES, 1), take(100), take(CHUNK_BYTES, 2)]).toEqual([false, true, false]);
    expect(woken).toEqual([]);
    await nextTurn();
    expect(woken).toEqual([1, 2]);
    expect(take(CHUNK_BYTES)).toBe(true);
  });

  it('when many wait, then they go on in their order, some in each turn', async () => {
    const all = Array.from({ length: 40 }, (_, index) => index);
    for (const who of all) expect(take(CHUNK_BYTES, who)).toBe(false);
    const seen: number[] = [];
    while (woken.length < all.length) {
      await nextTurn();
      seen.push(woken.length);
    }
    expect(woken).toEqual(all);
    expect(seen.length).toBeGreaterThan(2);
  });
});

describe('what had to wait for its turn', () => {
  const CONNECTIONS = 60;
  const SENT = Buffer.alloc(1024 * 1024, '0123456789abcdefghijklmnopqrstu');
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.startOurs();
  });
  afterEach(() => bench.clear());
  afterAll(() => bench.stop());

  it('when more is sent at once than a turn takes, then each connection has all of its own, in order, and its end', async () => {
    const upstream = await bench.upstream('echo');
    const proxy = await bench.proxy(upstream);
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => bench.connect(proxy)));
    for (const client of clients) {
      client.send(SENT);
      client.finish();
    }
    expect(await Promise.all(clients.map((client) => client.ended))).toEqual(clients.map(() => 'fin'));
    expect(clients.filter((client) => !client.received.equals(SENT))).toEqual([]);
  });
});
