import { targetOf, type FaultWindow } from '../checkers/fault-windows.js';
import type { Effect } from '../history.js';
import type { Fault } from '../plan.js';
import type { Verdict } from '../verdict.js';

export const mark = (holds: boolean | null): string => (holds === null ? '?' : holds ? '✓' : '✗');

export const VERDICT_MARKS: Readonly<Record<Verdict['verdict'], string>> = { valid: '✓', invalid: '✗', unknown: '?' };

export const seconds = (timeMs: number): string => `${(timeMs / 1000).toFixed(1)} s`;

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 1 : 0)} ms`;

/** null: could not be told. */
export const count = (value: number | null): string => (value === null ? '?' : value.toLocaleString('en'));

export const effectText = (effect: Effect): string =>
  Object.entries(effect)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => factText(name, value))
    .join(', ') || 'had no effect';

export const faultLabel = ({ id, fault }: Pick<FaultWindow, 'id' | 'fault'>): string =>
  [id, fault.kind, targetOf(fault)].filter((word) => word !== null).join(' ');

/** What a fault was to do beyond its kind and its target: `how swallow, for 3.0 s`. */
export const faultDetails = (fault: Fault): string =>
  Object.entries(fault)
    .filter(([name]) => !['kind', 'target', 'link', 'queue'].includes(name))
    .map(([name, value]) => factText(name, value))
    .join(', ');

/** A named value for people: `readyAfterMs: 3513` is `ready after 3.5 s`. */
function factText(name: string, value: unknown): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (typeof value !== 'number') return `${words} ${String(value)}`;
  if (!words.endsWith(' ms')) return `${words} ${count(value)}`;
  return `${words.slice(0, -' ms'.length)} ${value < 1_000 ? `${count(value)} ms` : seconds(value)}`;
}
