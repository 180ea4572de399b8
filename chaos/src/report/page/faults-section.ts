import { faultWindows, targetOf, type FaultWindow } from '../../checkers/fault-windows.js';
import { hadEffect } from '../../checkers/had-effect.js';
import type { PlannedFault } from '../../plan.js';
import { markup, type Markup } from '../markup.js';
import type { Report } from '../report.js';
import { effectText, faultDetails, seconds } from '../words.js';
import { short, table, type Cell } from './table.js';

/** What was planned, when it came, and what it was measured to do: a fault without effect proves nothing. */
export function faultsSection({ facts: { plan, history } }: Report): Markup {
  if (plan.faults.length === 0) return markup`<h2>Faults</h2><p class="soft">None: nothing was broken in this run.</p>`;
  const windows = new Map(faultWindows(history).map((window) => [window.id, window]));
  const rows = plan.faults.map((planned) => rowOf(planned, windows.get(planned.id)));
  return markup`<h2>Faults</h2>
${table(['', 'Kind', 'At', 'As planned', 'From', 'To', 'Measured effect'], rows)}`;
}

function rowOf({ id, fault }: PlannedFault, window: FaultWindow | undefined): Cell[] {
  return [
    short(id),
    short(fault.kind),
    short(targetOf(fault) ?? '–'),
    faultDetails(fault),
    moment(window?.fromMs),
    moment(window?.toMs),
    window !== undefined && hadEffect(window)
      ? effectText(window.effect ?? {})
      : { className: 'maybe', text: 'had no effect: not injected' },
  ];
}

const moment = (atMs: number | null | undefined): Cell => short(typeof atMs === 'number' ? seconds(atMs) : 'never');
