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
});
