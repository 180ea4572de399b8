import type { PlannedFault } from '../plan.js';
import { everything } from './everything.js';
import { inventoryKill } from './inventory-kill.js';
import { orderServiceKill } from './order-service-kill.js';
import { seeded } from './random.js';

const OPTIONS = { rate: 1_000, seconds: 600, warmUpSeconds: 10 };

describe('everything at random', () => {
  it('when a process is crashed at a step, then its own scenario shows that it comes by there', () => {
    const shown = [orderServiceKill, inventoryKill].flatMap(({ plan }) => plan(OPTIONS, seeded(1)).requiredCells ?? []);
    const crashes = Array.from({ length: 20 }, (_, seed) => everything.plan(OPTIONS, seeded(seed)).faults).flat();
    const cells = crashes.flatMap(({ fault }) => (fault.kind === 'crash-at' ? [`${fault.step} × kill`] : []));
    expect([...new Set(cells)].filter((cell) => !shown.includes(cell))).toEqual([]);
    expect(cells.length).toBeGreaterThan(0);
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed))('leaves a lull in each minute, seed %d', (seed) => {
    const { faults } = everything.plan(OPTIONS, seeded(seed));
    const lulls = Array.from({ length: 9 }, (_, minute) => {
      const nextStormMs = (minute + 1) * 60_000;
      return nextStormMs - Math.max(...faults.filter(({ atMs }) => atMs < nextStormMs).map(endMs));
    });
    expect(Math.min(...lulls)).toBeGreaterThan(15_000);
  });
});

const endMs = ({ atMs, fault }: PlannedFault): number =>
  atMs + ('forMs' in fault ? fault.forMs : 'backAfterMs' in fault ? fault.backAfterMs : 0);
