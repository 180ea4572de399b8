import { Unhealed } from './unhealed.js';

/** Fails so many times. */
function undoing(failures: number) {
  let calls = 0;
  const undo = (): Promise<void> =>
    ++calls > failures ? Promise.resolve() : Promise.reject(new Error('the broker is away'));
  return { undo, times: () => calls };
}

describe('a fault that could not be healed', () => {
  it('when it can be taken back at once, then nothing is left of it', async () => {
    const unhealed = new Unhealed();
    const { undo, times } = undoing(0);
    await unhealed.undo('f1 (unbind)', [undo]);
    await unhealed.undoRest();
    expect(times()).toBe(1);
  });

  it('when it can be taken back only in the end, then it is taken back then, once', async () => {
    const unhealed = new Unhealed();
    const { undo, times } = undoing(1);
    await unhealed.undo('f1 (unbind)', [undo]);
    await unhealed.undoRest();
    await unhealed.undoRest();
    expect(times()).toBe(2);
  });

  it('when it stays in force, then nothing can be told of the run, and the reason is given', async () => {
    const unhealed = new Unhealed();
    await unhealed.undo('f1 (unbind)', [undoing(2).undo]);
    await expect(unhealed.undoRest()).rejects.toThrow('f1 (unbind) could not be healed: Error: the broker is away');
  });
});
