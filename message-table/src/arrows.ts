/**
 * Every move that a row may make. The table of arrows and tests in docs/reference/states.md is made from this, and the
 * chaos harness holds each transition that it saw against it.
 */
export interface Arrow {
  /** 'new' for the insert. */
  readonly from: string;
  readonly to: string;
  readonly why: string;
  /** What happens to the counts and the due time. */
  readonly note: string;
}

export const PRODUCER_ARROWS: readonly Arrow[] = [
  {
    from: 'new',
    to: 'SENDING',
    why: 'accepted, fast path',
    note: 'our own transaction, a place reserved, channel up, not paused; lease',
  },
  {
    from: 'new',
    to: 'PENDING',
    why: 'accepted',
    note: 'every other case; due now, or after the delay that was asked for',
  },
  { from: 'PENDING', to: 'SENDING', why: 'claimed', note: 'SKIP LOCKED, short transaction; lease' },
  { from: 'SENDING', to: 'SENT', why: 'confirmed', note: 'lost_count 0' },
  {
    from: 'SENDING',
    to: 'PENDING',
    why: 'refused',
    note: 'retry_count + 1, back-off or what was asked for, lost_count 0',
  },
  { from: 'SENDING', to: 'FAILED', why: 'refused', note: 'for good, or the last attempt: a person decides' },
  {
    from: 'SENDING',
    to: 'PENDING',
    why: 'unknown',
    note: 'retry_count unchanged, pause; a suspect keeps lost_count 1',
  },
  { from: 'SENDING', to: 'PENDING', why: 'lease over', note: 'lost_count + 1, retry_count unchanged, due now' },
  { from: 'SENDING', to: 'FAILED', why: 'worker-lost', note: 'lost_count reached 5' },
  {
    from: 'SENDING',
    to: 'PENDING',
    why: 'given back',
    note: 'nothing was sent: too little lease, or the process stops; due now',
  },
  { from: 'PENDING', to: 'PENDING', why: 'parked', note: 'channel down, breaker open or paused; later, no attempt' },
  { from: 'PENDING', to: 'PENDING', why: 'pulled forward', note: 'what it was parked for is free again' },
  {
    from: 'FAILED',
    to: 'PENDING',
    why: 'retried by a person',
    note: 'retry_count, lost_count 0; recorded in message_action',
  },
  { from: 'SENT', to: 'PENDING', why: 'replayed by a person', note: 'same message_id; recorded in message_action' },
  { from: 'PENDING', to: 'FAILED', why: 'given up by a person', note: 'recorded in message_action' },
];

export const CONSUMER_ARROWS: readonly Arrow[] = [
  { from: 'new', to: 'SUCCESS', why: 'consumed', note: 'one transaction with the effect and what it sends' },
  {
    from: 'new',
    to: 'PENDING_RETRY',
    why: 'effect threw',
    note: 'retry_count 1, back-off, in a transaction of its own',
  },
  {
    from: 'new',
    to: 'FAILED',
    why: 'cannot be handled',
    note: 'permanent error, no usable id, too old, or one attempt only',
  },
  { from: 'new', to: 'PENDING_RETRY', why: 'dead-lettered', note: 'the broker gave up on it: one failed attempt' },
  {
    from: 'new',
    to: 'PENDING_RETRY',
    why: 'put aside',
    note: "alone it met the database's own trouble three times while the database answered; retry_count 0, back-off",
  },
  { from: 'PENDING_RETRY', to: 'RETRYING', why: 'claimed', note: 'one row, SKIP LOCKED; lease' },
  { from: 'RETRYING', to: 'SUCCESS', why: 'redelivered', note: 'in the transaction of the effect' },
  { from: 'RETRYING', to: 'PENDING_RETRY', why: 'effect threw', note: 'retry_count + 1, back-off, lost_count 0' },
  { from: 'RETRYING', to: 'FAILED', why: 'effect threw', note: 'permanent, or the last attempt' },
  {
    from: 'RETRYING',
    to: 'PENDING_RETRY',
    why: 'put off',
    note: "the database's own trouble; no attempt",
  },
  { from: 'RETRYING', to: 'PENDING_RETRY', why: 'lease over', note: 'lost_count + 1, due now' },
  { from: 'RETRYING', to: 'FAILED', why: 'worker-lost', note: 'lost_count reached 5' },
  {
    from: 'FAILED',
    to: 'PENDING_RETRY',
    why: 'retried by a person',
    note: 'retry_count, lost_count 0; recorded in message_action',
  },
];
