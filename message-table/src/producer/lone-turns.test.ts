import { LoneTurns } from './lone-turns.js';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let turns: LoneTurns;
let log: string[];
beforeEach(() => {
  turns = new LoneTurns();
  log = [];
});

/** Work that ends when it is told to. */
function work(name: string): { run: () => Promise<void>; end: () => void } {
  let end = (): void => undefined;
  const promise = new Promise<void>((resolve) => (end = resolve));
  const run = async (): Promise<void> => {
    log.push(`${name} begins`);
    await promise;
    log.push(`${name} ends`);
  };
  return { run, end };
}

describe('what is sent alone has the process for itself', () => {
  it('when others are under way, then it waits for them, and who comes later waits for it', async () => {
    const [a, b, suspect, c] = [work('a'), work('b'), work('suspect'), work('c')];
    const all = [turns.together(a.run), turns.together(b.run), turns.alone(suspect.run), turns.together(c.run)];
    await tick();
    expect(log).toEqual(['a begins', 'b begins']);
    for (const one of [b, a, suspect, c]) {
      one.end();
      await tick();
    }
    await Promise.all(all);
    expect(log.slice(2)).toEqual(['b ends', 'a ends', 'suspect begins', 'suspect ends', 'c begins', 'c ends']);
  });

  it('when two are to go alone, then they go one after the other, and who came between them goes between', async () => {
    const [first, a, second] = [work('first'), work('a'), work('second')];
    const all = [turns.alone(first.run), turns.together(a.run), turns.alone(second.run)];
    for (const one of [second, a, first]) {
      one.end();
      await tick();
    }
    await Promise.all(all);
    expect(log.filter((line) => line.endsWith('begins'))).toEqual(['first begins', 'a begins', 'second begins']);
  });

  it('when one fails, then whoever asked is told and the others go on', async () => {
    const failed = turns.alone(() => Promise.reject(new Error('no')));
    const shared = turns.together(() => Promise.reject(new Error('neither')));
    const next = turns.alone(() => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('no');
    await expect(shared).rejects.toThrow('neither');
    expect(await next).toBe('next');
  });
});
