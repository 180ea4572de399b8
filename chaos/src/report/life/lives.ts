import type { RunFacts } from '../../facts.js';
import type { Verdict } from '../../verdict.js';
import type { LifeEvent } from './event.js';
import { orderLife } from './order-life.js';
import { productLife } from './product-life.js';
import { keyOf, subjectFinder, type Subject } from './subject.js';

/** Anomalies that are about the same order, message or product, and everything that is known of it. */
export interface Life {
  readonly subject: string;
  readonly anomalies: readonly { readonly invariant: string; readonly text: string }[];
  /** Empty where the anomaly names nothing that has a life. */
  readonly events: readonly LifeEvent[];
}

const WHOLE_RUN = 'the run as a whole';
/** What a person will read; looking one up goes through all books. */
const MOST_LIVES = 40;

export function livesOf(facts: RunFacts, { invariants }: Pick<Verdict, 'invariants'>): Life[] {
  const anomalies = invariants.flatMap(({ id, anomalies }) => anomalies.map((text) => ({ invariant: id, text })));
  if (anomalies.length === 0) return [];
  const find = subjectFinder(facts.books);
  const lives = new Map<string, { subject: Subject | null; anomalies: Life['anomalies'] }>();
  for (const anomaly of anomalies) {
    const subject = find(anomaly.text);
    const key = subject === null ? WHOLE_RUN : keyOf(subject);
    lives.set(key, { subject, anomalies: [...(lives.get(key)?.anomalies ?? []), anomaly] });
  }
  return [...lives].map(([key, { subject, anomalies }], at) => ({
    subject: key,
    anomalies,
    events: at < MOST_LIVES ? eventsOf(facts, subject) : [],
  }));
}

function eventsOf(facts: RunFacts, subject: Subject | null): LifeEvent[] {
  if (subject === null) return [];
  return subject.kind === 'order' ? orderLife(facts, subject) : productLife(facts, subject.productId);
}
