import { SENDERS, type Sabotage } from './sabotage.js';

const SENDING = { in: SENDERS.filter((kind) => kind !== 'inventory-service'), scenario: 'http-channel' };

/** What can be taken from the way of a message over HTTP, from its sender to the answer. */
export const OVER_HTTP: readonly Sabotage[] = [
  {
    name: 'http-new-key-each-attempt',
    breaks: 'a message keeps its Idempotency-Key over all attempts',
    ...{ ...SENDING, caughtBy: ['I4', 'I5'] },
  },
  {
    name: 'http-ignores-status',
    breaks: 'only 2xx is a confirmation',
    ...{ ...SENDING, caughtBy: ['I4', 'I5'] },
  },
  {
    name: 'http-follows-redirects',
    breaks: 'a redirect is an answer, and not followed',
    ...{ ...SENDING, caughtBy: ['I11'] },
  },
  {
    name: 'http-trouble-uses-attempts',
    breaks: "trouble of a receiver that takes nothing is not the message's fault",
    ...{ ...SENDING, caughtBy: ['I11'] },
  },
  {
    name: 'http-answers-before-commit',
    breaks: '2xx only after COMMIT',
    in: ['inventory-service'],
    ...{ scenario: 'http-channel', caughtBy: ['I5', 'I8'] },
  },
];
