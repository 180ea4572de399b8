import { coresBetween, cpuSeconds, sampleCpu } from './cpu.js';

describe('processor time', () => {
  it('when the name of a process holds blanks and brackets, then its times are still found', () => {
    const stat = '123 (a b) c) S 1 123 123 0 -1 4194560 900 0 0 0 250 50 0 0 20 0 11 0 100 1000 200';
    expect(cpuSeconds(stat)).toBe(3);
  });

  it('when two samples are taken, then the cores are the time used by the time passed', () => {
    const from = {
      atMs: 1_000,
      seconds: new Map([
        ['a', 1],
        ['gone', 2],
      ]),
    };
    const to = {
      atMs: 3_000,
      seconds: new Map([
        ['a', 2],
        ['new', 5],
      ]),
    };
    expect([...coresBetween(from, to)]).toEqual([['a', 0.5]]);
  });

  it('when a process is not there, then it is left out', () => {
    const sample = sampleCpu(
      [
        { name: 'nobody', pid: () => undefined },
        { name: 'gone', pid: () => 2 ** 30 },
      ],
      0,
    );
    expect(sample.seconds.size).toBe(0);
  });
});
