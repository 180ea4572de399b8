import type { HistoryFact } from '../history.js';
import type { Fault, PlannedFault } from '../plan.js';
import type { Journal } from '../run/journal.js';
import { Unhealed } from '../world/unhealed.js';
import type { World } from '../world/world.js';
import { aimOf, runFaults } from './nemesis.js';

/** As the server of the proxies: no two toxics of one name, and none that it does not have. */
class Line {
  readonly toxics = new Set<string>();
  /** What it answers with 500. */
  readonly broken = new Set<'add upstream' | 'add downstream' | 'remove'>();

  addToxic({ name, stream }: { readonly name: string; readonly stream: 'upstream' | 'downstream' }): Promise<void> {
    if (this.broken.has(`add ${stream}`)) return says(500);
    if (this.toxics.has(name)) return says(409);
    this.toxics.add(name);
    return Promise.resolve();
  }

  getToxic(name: string): Promise<{ readonly remove: () => Promise<void> }> {
    if (!this.toxics.has(name)) return says(404);
    const remove = () => (this.broken.has('remove') ? says(500) : Promise.resolve(void this.toxics.delete(name)));
    return Promise.resolve({ remove });
  }
}

const says = (status: number): Promise<never> =>
  Promise.reject(new Error(`Request failed with status code ${String(status)}`));

const CUT: Fault = { kind: 'cut', link: 'relay→broker', how: 'swallow', direction: 'both', forMs: 30 };

async function after(faults: readonly PlannedFault[], line = new Line()) {
  const proxies = { effects: () => Promise.resolve({ droppedBytes: 0 }), proxy: () => Promise.resolve(line) };
  const unhealed = new Unhealed();
  const facts: HistoryFact[] = [];
  const notes: string[] = [];
  const journal = { write: (fact: HistoryFact) => facts.push(fact), note: (text: string) => notes.push(text) };
  const world = { plan: { faults }, proxies, unhealed } as unknown as World;
  const course = { startedMs: performance.now(), signal: new AbortController().signal };
  await runFaults(world, journal as unknown as Journal, course);
  const phases = facts.flatMap((fact) => (fact.kind === 'fault' ? [`${fact.id} ${fact.phase}`] : []));
  return { line, unhealed, notes, phases };
}

const one: PlannedFault = { id: 'f1', atMs: 0, fault: CUT };

describe('the nemesis', () => {
  it('when a link is cut while it is cut, then the second cut waits for the end of the first', async () => {
    const { notes, phases, line } = await after([one, { ...one, id: 'f2', atMs: 5 }]);
    expect(notes).toEqual([]);
    expect(phases).toEqual(['f1 begin', 'f1 end', 'f2 begin', 'f2 end']);
    expect(line.toxics.size).toBe(0);
  });

  it('when there is an alarm beside a kill of the broker, then one waits for the end of the other', () => {
    const kill: Fault = { kind: 'kill', target: 'broker', backAfterMs: 10 };
    expect(aimOf({ id: 'f1', fault: { kind: 'alarm', forMs: 10 } })).toBe(aimOf({ id: 'f2', fault: kill }));
    expect(aimOf({ id: 'f3', fault: { ...kill, target: 'relay-1' } })).not.toBe(aimOf({ id: 'f2', fault: kill }));
  });

  it('when a fault is half made and fails, then the half is taken back at once', async () => {
    const line = new Line();
    line.broken.add('add downstream');
    const { notes, unhealed } = await after([one], line);
    expect(notes).toEqual([expect.stringContaining('fault f1 could not be injected or healed')]);
    expect(line.toxics.size).toBe(0);
    await unhealed.undoRest();
  });

  it('when a fault cannot be healed, then it is healed in the end, or nothing can be told of the run', async () => {
    const line = new Line();
    line.broken.add('remove');
    const { unhealed } = await after([one], line);
    expect(line.toxics.size).toBe(2);
    await expect(unhealed.undoRest()).rejects.toThrow('fault f1 (cut) could not be healed');
    line.broken.clear();
    await unhealed.undoRest();
    expect(line.toxics.size).toBe(0);
  });
});
