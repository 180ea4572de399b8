import { readFlags } from './flags.js';

describe('the flags of prove', () => {
  it('when a bug is named twice, then it is planted once', () => {
    const args = ['--only', 'no-inbox', '--only', 'unfenced-settle', '--only', 'no-inbox'];
    expect(readFlags(args)).toMatchObject({ only: ['no-inbox', 'unfenced-settle'] });
  });

  it('when none is named, then all of them are meant', () => {
    expect(readFlags([])).toMatchObject({ only: null, jobs: 2, honest: true });
  });
});
