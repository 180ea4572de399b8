import { makePlan, play, seeded, show, type Plan, type Played } from '@counterfoil/chaos';

import type { DemoFlags } from './flags.js';
import { Watcher } from './live/watcher.js';
import { actLines } from './render/act-lines.js';
import { booksLines } from './render/books-lines.js';
import { introduction } from './render/introduction.js';
import { liveLine, panelLines } from './render/panel.js';
import type { Screen } from './render/screen.js';
import { verdictLines } from './render/verdict-lines.js';

export interface ShowOptions {
  readonly flags: DemoFlags;
  readonly screen: Screen;
  /** Breaks the show off. */
  readonly signal: AbortSignal;
  /** Of this process, for the table of processor time. */
  readonly ownPid: number;
}

/** A run of the chaos harness that can be watched, and what its checkers found. @returns the verdict */
export async function runShow({ flags, screen, signal, ownPid }: ShowOptions): Promise<Played['verdict']['verdict']> {
  const plan = planOf(flags);
  screen.say(...introduction(flags, screen.width, screen.paint));
  screen.say(screen.paint.dim('  Starting two databases, a broker and four services …'), '');
  const played = await play(plan, {
    ...{ ...flags.stack, ownPid, signal, stepSummaryFile: null, listener: watcherOn(screen, plan, signal) },
    onProgress: () => undefined,
  });
  screen.clear();
  const { width, paint } = screen;
  screen.say('', ...booksLines(played, width, paint), '', ...verdictLines(played, width, paint));
  return played.verdict.verdict;
}

const planOf = (flags: DemoFlags): Plan => makePlan(show, { ...flags, sabotage: null }, seeded(flags.seed));

function watcherOn(screen: Screen, plan: Plan, signal: AbortSignal): Watcher {
  const { paint } = screen;
  return new Watcher({
    plan,
    onAct: (act, second) => {
      if (!signal.aborted) screen.say(...actLines(act, second, screen.width, paint));
    },
    onView: (view) => {
      if (!signal.aborted) screen.draw(panelLines(view, screen.width, paint), liveLine(view), performance.now());
    },
  });
}
