/** What a client knows of an order: it is stored, certainly nothing happened, or it cannot tell. */
export type Outcome = 'ok' | 'fail' | 'info';

const NOTHING_HAPPENED = new Set([400, 413, 415, 422, 429]);

export function outcomeOfAnswer(status: number, body: string): Outcome {
  if (status === 200 || status === 201) return 'ok';
  if (NOTHING_HAPPENED.has(status)) return 'fail';
  return status === 503 && fieldOf(body, 'code') === 'not-accepted' ? 'fail' : 'info';
}

/** A request that never had a connection (refused, connect time-out) cannot have done anything. */
export const outcomeOfError = (wasSent: boolean): Outcome => (wasSent ? 'info' : 'fail');

/** Once an attempt ended unknown, only an `ok` makes the order known again: a later refusal says nothing of the first attempt. */
export const outcomeSoFar = (before: Outcome | null, now: Outcome): Outcome =>
  before === 'info' && now === 'fail' ? 'info' : now;

/** The order's id in the answer that acknowledges it; `?` where there is none, which is nobody's id. */
export function orderIdIn(body: string): string {
  const id = fieldOf(body, 'id');
  return typeof id === 'string' && /^\w+$/.test(id) ? id : '?';
}

function fieldOf(body: string, name: string): unknown {
  try {
    return (JSON.parse(body) as Record<string, unknown>)[name];
  } catch {
    return undefined;
  }
}
