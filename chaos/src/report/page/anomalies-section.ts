import type { LifeEvent } from '../life/event.js';
import { livesOf, type Life } from '../life/lives.js';
import { markup, type Markup } from '../markup.js';
import type { Report } from '../report.js';
import { seconds } from '../words.js';
import { short, table, type Cell } from './table.js';

/** The first few are open; a hundred would be a page that nobody reads. */
const OPEN = 3;

/** Every anomaly with all that is known of its order or product: each event of each process on a line. */
export function anomaliesSection({ facts, file }: Report): Markup {
  const lives = livesOf(facts, file);
  return markup`<h2 id="anomalies">Anomalies</h2>
${lives.length === 0 ? markup`<p class="soft">None.</p>` : HOW_TO_READ}
${lives.map(lifeDetails)}`;
}

const HOW_TO_READ = markup`<p class="soft">An invariant names its first few. Ledgers keep the order of what happened and not the time; their lines stand where they belong in the life of an order.</p>`;

function lifeDetails({ subject, anomalies, events }: Life, at: number): Markup {
  const says = anomalies.map(({ invariant, text }) => markup`<b>${invariant}</b> ${text}`);
  const isOpen = at < OPEN || events.length === 0;
  return markup`<details${isOpen ? markup` open` : null}><summary><b>${subject}</b>: ${says[0] ?? null}</summary>
${says.slice(1).map((one) => markup`<div>${one}</div>`)}${events.length === 0 ? null : table([], events.map(rowOf), 'life')}</details>
`;
}

const rowOf = ({ atMs, who, what }: LifeEvent): Cell[] => [short(atMs === null ? '' : seconds(atMs)), short(who), what];
