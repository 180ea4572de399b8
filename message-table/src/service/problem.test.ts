import { MessageTableError } from '../errors.js';
import { Problem, problemOf } from './problem.js';

const server = (facts: object): Error => Object.assign(new Error('said by the server'), facts);

describe('what a client is told about an error', () => {
  it('DB-01: when COMMIT stayed unanswered, then nobody says that nothing was stored', () => {
    const cause = server({ code: 'ECONNRESET', fatal: true });
    const unknown = new MessageTableError('COMMIT_UNKNOWN', 'COMMIT was sent and not answered', { cause });
    expect(problemOf(unknown)).toMatchObject({ status: 503, code: 'outcome-unknown', retryAfterS: 1 });
  });

  it.each([{ code: 'ECONNREFUSED', fatal: true }, { errno: 1040 }, { errno: 1205 }])(
    'when the database is in trouble before that (%j), then it is 503 and nothing was stored',
    (facts) => {
      expect(problemOf(server(facts))).toMatchObject({ status: 503, code: 'not-accepted', retryAfterS: 1 });
    },
  );

  it('when no worker id is leased, then it is 503 and nothing was stored', () => {
    const none = new MessageTableError('NO_WORKER_ID', 'none');
    expect(problemOf(none)).toMatchObject({ status: 503, code: 'not-accepted', retryAfterS: 1 });
  });

  it('when nobody foresaw it, then it is a bug, and its words stay here', () => {
    expect(problemOf(new Error('secret detail'))).toMatchObject({ status: 500, code: 'internal' });
    expect(problemOf(new Error('secret detail')).detail).not.toContain('secret');
    expect(problemOf(undefined)).toMatchObject({ status: 500 });
  });

  it('when a handler said what it is, then that stands', () => {
    const problem = new Problem(404, 'not-found', 'There is nothing');
    expect(problemOf(problem)).toBe(problem);
  });
});
