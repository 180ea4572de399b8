import { readFlags } from './flags.js';

describe('the flags', () => {
  it('when there are none, then it is about a minute of a thousand orders a second', () => {
    expect(readFlags([], 7)).toEqual({ rate: 1_000, warmUpSeconds: 10, seconds: 55, seed: 7, stack: {} });
  });

  it('when the show is short, then a third of it warms up', () => {
    expect(readFlags(['--seconds', '15', '--rate', '200', '--seed', '3'], 7)).toEqual({
      ...{ rate: 200, warmUpSeconds: 5, seconds: 10, seed: 3, stack: {} },
    });
  });

  it('when it is said where the servers run, then the stack is told, and a word that is none is refused', () => {
    expect(readFlags(['--stack', 'containers'], 7)).toMatchObject({ stack: { backend: 'containers' } });
    expect(() => readFlags(['--stack', 'cloud'], 7)).toThrow('--stack must be native or containers');
  });

  it('when help is asked for, then there is nothing to run', () => {
    expect(readFlags(['--help'], 7)).toBeNull();
    expect(readFlags(['-h'], 7)).toBeNull();
  });

  it('when a number is none or too small, then the flag is named', () => {
    expect(() => readFlags(['--seconds', '5'], 7)).toThrow('--seconds must be a whole number from 15');
    expect(() => readFlags(['--rate', 'fast'], 7)).toThrow('--rate must be a whole number');
  });
});
