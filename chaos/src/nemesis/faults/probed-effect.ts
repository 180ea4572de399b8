import type { Effect } from '../../history.js';
import type { Probe } from '../../world/link-probe.js';
import type { ToxicPlan } from './toxic-plan.js';

/**
 * What toxics did to a connection of our own, for proxies that do not count what they do to the others. Nothing where it
 * fared no worse than the one before, or not in the way that these toxics have.
 */
export function probedEffect(before: Probe, during: Probe, toxics: readonly ToxicPlan[]): Effect {
  if (before.tookMs === null) return {};
  if (during.isCut) return { probesCut: 1 };
  if (during.tookMs === null) return { probesUnanswered: 1 };
  // Half: the probe before may have been held up by something else.
  const latencyMs = (toxics.find(({ type }) => type === 'latency')?.attributes['latency'] ?? Infinity) / 2;
  const delayedMs = Math.round(during.tookMs - before.tookMs);
  const morePieces = toxics.some(({ type }) => type === 'slicer') ? during.pieces - before.pieces : 0;
  return {
    ...(delayedMs >= latencyMs ? { probesDelayedMs: delayedMs } : {}),
    ...(morePieces > 0 ? { probesMorePieces: morePieces } : {}),
  };
}
