import type { Books, RunFacts } from '../facts.js';
import type { HistoryRecord } from '../history.js';
import { judge } from '../verdict.js';

export const drop = <T>(list: readonly T[], at: number): T[] => list.filter((_, index) => index !== at);

export const double = <T>(list: readonly T[], at: number): T[] =>
  list.flatMap((item, index) => (index === at ? [item, item] : [item]));

export const flip = <T>(list: readonly T[], at: number, change: Partial<T>): T[] =>
  list.map((item, index) => (index === at ? { ...item, ...change } : item));

/** Exchanges two neighbours. */
export function swap<T>(list: readonly T[], at: number, other = at + 1): T[] {
  const [first, second] = [list[at], list[other]];
  return list.map((item, index) => (index === at ? (second ?? item) : index === other ? (first ?? item) : item));
}

export const withBooks = (facts: RunFacts, change: (books: Books) => Partial<Books>): RunFacts => ({
  ...facts,
  books: { ...facts.books, ...change(facts.books) },
});

export const withEnd = (facts: RunFacts, change: Partial<RunFacts['end']>): RunFacts => ({
  ...facts,
  end: { ...facts.end, ...change },
});

/** @param change what becomes of a record; null: it is dropped */
export const withHistory = (facts: RunFacts, change: (record: HistoryRecord) => HistoryRecord | null): RunFacts => ({
  ...facts,
  history: facts.history.flatMap((record) => change(record) ?? []),
});

export const isOrder = (record: HistoryRecord, index: number): boolean =>
  record.kind === 'order' && record.index === index;

/** Invariants that do not hold, and those that cannot be told. */
export function outcome(facts: RunFacts): { broken: string[]; untold: string[]; verdict: string } {
  const { invariants, verdict } = judge(facts);
  const ids = (holds: boolean | null): string[] => invariants.filter((one) => one.holds === holds).map(({ id }) => id);
  return { broken: ids(false), untold: ids(null), verdict };
}

export const broken = (facts: RunFacts): string[] => outcome(facts).broken;
export const untold = (facts: RunFacts): string[] => outcome(facts).untold;
