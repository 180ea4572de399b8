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

  it.each([
    ['--plan p --sabotage no-inbox', '--sabotage does not go with --plan'],
    ['--rate 1000 --plan p', '--rate does not go with --plan'],
    ['--plan p --scenario baseline', '--scenario does not go with --plan'],
    ['--scenario regressions --sabotage no-inbox', '--sabotage does not go with --scenario regressions'],
    ['--scenario=regressions --seed=1', '--seed does not go with --scenario regressions'],
    ['--report r --shrink s', '--shrink does not go with --report'],
    ['--shrink s --plan p', '--plan does not go with --shrink'],
    ['--report r --queue-type classic', '--queue-type does not go with --report'],
  ])('when %s is asked for, then it is refused and not ignored', (args, says) => {
    expect(() => readFlags(args.split(' '), 1)).toThrow(says);
  });

  it.each([
    '--plan p --stack native --json j --again 2',
    '--shrink s --shrink-runs 5 --stack native',
    '--report r --json j',
    '--scenario regressions --again 1 --json j --stack native',
    '--scenario all --sabotage no-inbox --rate 5 --seconds 5 --warm-up 0 --seed 1 --queue-type classic --json j --again 1',
  ])('when %s is asked for, then it is taken', (args) => {
    expect(readFlags(args.split(' '), 1)).not.toBeNull();
  });

  it('when a number is none, then the flag is named', () => {
    expect(() => readFlags(['--shrink-runs', '0'], 1)).toThrow('--shrink-runs must be a whole number');
  });
});
