import { readBackend } from './start-stack.js';

describe('--stack', () => {
  it('when it names a backend or is left out, then that is taken; any other word is refused', () => {
    expect([readBackend('native'), readBackend('containers'), readBackend(undefined)]).toEqual([
      'native',
      'containers',
      undefined,
    ]);
    expect(() => readBackend('podman')).toThrow("--stack must be native or containers, not 'podman'");
  });
});
