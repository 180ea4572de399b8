import { markup, type Markup } from '../markup.js';
import type { Report } from '../report.js';
import { short, table } from './table.js';

/** Settings of the processes, and the plan as it stands in plan.json. */
export function planSection({ facts: { plan } }: Report): Markup {
  const settings = Object.entries(plan.world.settings).map(([name, value]) => [short(name), value]);
  return markup`<h2>Settings and plan</h2>
<details><summary>${settings.length} settings that differ from the defaults</summary>${table([], settings, 'life')}</details>
<details><summary>The plan</summary><pre>${JSON.stringify(plan, null, 2)}</pre></details>
<h2>What no run of this kind shows</h2>
<p class="soft">A killed process leaves its writes to the operating system. Power loss, a disk that lies about fsync, and messages that RabbitMQ 4 keeps in classic queues without fsync are beyond it: see <code>docs/reference/promises.md</code>.</p>
`;
}
