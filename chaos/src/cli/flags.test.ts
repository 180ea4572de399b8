import { readFlags } from './flags.js';

describe('the flags', () => {
  it('when a run is to be shrunk, then its folder and a bound of runs are read', () => {
    expect(readFlags(['--shrink', 'runs/x'], 1)).toMatchObject({ shrink: 'runs/x', shrinkRuns: 20 });
    expect(readFlags(['--shrink', 'runs/x', '--shrink-runs', '5'], 1)).toMatchObject({ shrinkRuns: 5 });
    expect(readFlags([], 1)).toMatchObject({ shrink: null, scenario: null, report: null, seed: 1 });
  });

  it('when queues are to be of a type that there is not, then the flag is named', () => {
    expect(readFlags(['--queue-type', 'classic'], 1)).toMatchObject({ queueType: 'classic' });
    expect(() => readFlags(['--queue-type', 'stream'], 1)).toThrow(
      "--queue-type must be quorum or classic, not 'stream'",
    );
  });

  it('when it is said where the servers run, then that is taken, and else left to the stack', () => {
    expect(readFlags(['--stack', 'containers'], 1)).toMatchObject({ backend: 'containers' });
    expect(readFlags([], 1)).toMatchObject({ backend: null });
  });

  it('when a run that cannot tell may be made again, then so often, and else never', () => {
    expect(readFlags(['--again', '2'], 1)).toMatchObject({ again: 2 });
    expect(readFlags([], 1)).toMatchObject({ again: 0 });
    expect(() => readFlags(['--again', '-1'], 1)).toThrow();
  });

  it('when a number is none, then the flag is named', () => {
    expect(() => readFlags(['--shrink-runs', '0'], 1)).toThrow('--shrink-runs must be a whole number');
  });
});
