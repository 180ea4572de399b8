const TITLES: Readonly<Record<string, string>> = {
  I1: 'every acknowledged order is in the books',
  I2: 'no order that failed or was never sent is in the books',
  I3: 'orders and messages are one to one',
  I4: 'every committed message was published',
  I5: 'every order took effect exactly once or was rejected',
  I6: 'stock: no lost update, never negative',
  I7: 'note, effect and decision agree',
  I8: 'all is final, queues are empty, every process is up',
  I9: 'relays carry what they should and never stop each other',
  I10: 'no more duplicates than the faults allow',
  I11: 'an outage alone leaves no FAILED',
  I12: 'logs without unhandled rejections and secrets',
  I13: 'the outcomes add up to what was attempted',
  I14: 'the witnesses agree',
  I15: 'recovery and p99 within budget',
  I16: 'every transition is an arrow of the state machine',
  I17: 'reconcile names what is lost, and nothing else',
  I18: 'what has a stand-in or no part in the faults goes on',
};

/** What an invariant promises, in a line; empty for one that nobody described. */
export const titleOf = (id: string): string => TITLES[id] ?? '';
