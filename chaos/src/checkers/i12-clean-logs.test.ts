import { aRun } from '../testkit/facts-builder.js';
import { broken, untold, withEnd } from '../testkit/mutate.js';

describe('I12, clean logs', () => {
  it('when a log holds something forbidden, then it is broken', () => {
    expect(broken({ ...aRun(), logs: [{ process: 'relay-1', line: 'boom', why: 'unhandled' }] })).toEqual(['I12']);
  });

  it('when the logs were not read, then it cannot be told', () => {
    expect(untold(withEnd(aRun(), { unread: ['logs: no such file'] }))).toEqual(['I12']);
  });
});
