import type { Invariant, RunFacts } from '../facts.js';
import { consumersDue } from './consumers-due.js';
import { ordersGivenUp } from './expected-failures.js';
import { told } from './finding.js';
import { unaskedExits } from './unasked-exits.js';
import { uncleanStops } from './unclean-stops.js';

/** After healing everything came to its end: rows final, queues empty, every process up and consuming; none of ours ended as nobody had asked. */
export const liveness = (facts: RunFacts): Invariant =>
  told(
    { id: 'I8', needs: ['orders', 'orderMessages', 'decisionMessages', 'deductionNotes', 'decisionNotes'] },
    facts,
    () => {
      const { end } = facts;
      if (Object.keys(end.queueDepths).length === 0) return 'nobody looked into the queues';
      if (Object.keys(end.processesUp).length === 0) return 'nobody looked at the processes';
      const anomalies = [
        ...(end.settled ? [] : ['nothing became final any more, and not everything was']),
        ...openRows(facts),
        ...fullQueues(facts),
        ...deadProcesses(facts),
        ...missedConsumers(facts),
      ];
      if (anomalies.length === 0 && end.consumers === null) return 'the broker did not tell how many consumers it has';
      const detail =
        end.settledAfterMs === null ? 'never settled' : `settled ${String(end.settledAfterMs)} ms after healing`;
      return { detail, anomalies };
    },
  );

const OPEN = new Set(['PENDING', 'SENDING', 'PENDING_RETRY', 'RETRYING']);

function openRows(facts: RunFacts): string[] {
  const { orders, orderMessages, decisionMessages, deductionNotes, decisionNotes } = facts.books;
  const givenUp = ordersGivenUp(facts);
  const rows = [...orderMessages, ...decisionMessages, ...deductionNotes, ...decisionNotes];
  return [
    ...rows
      .filter(({ status }) => OPEN.has(status))
      .map(({ messageId, status }) => `message ${messageId} is ${status}`),
    ...orders
      .filter(({ orderId, status }) => status === 'CREATED' && !givenUp.has(orderId))
      .map(({ orderId }) => `order ${orderId} is CREATED`),
  ];
}

const fullQueues = ({ end }: RunFacts): string[] =>
  Object.entries(end.queueDepths)
    .filter(([, depth]) => depth > 0)
    .map(([queue, depth]) => `${queue} holds ${String(depth)}`);

const deadProcesses = ({ end, history }: RunFacts): string[] => [
  ...Object.entries(end.processesUp)
    .filter(([, isUp]) => !isUp)
    .map(([name]) => `${name} is not up`),
  ...unaskedExits(history)
    .filter(({ expected }) => !expected)
    .map(({ target }) => `${target} ended by itself`),
  ...uncleanStops(history),
];

/** Where one is missing others empty its queue all the same; one too many is left of a connection that was thought gone. */
function missedConsumers({ end: { consumers }, plan }: RunFacts): string[] {
  if (consumers === null || consumers === undefined) return [];
  return Object.entries(consumersDue(plan.world))
    .filter(([queue, due]) => consumers[queue] !== due)
    .map(([queue, due]) => `${queue} has ${String(consumers[queue] ?? 0)} consumers, of ${String(due)} processes`);
}
