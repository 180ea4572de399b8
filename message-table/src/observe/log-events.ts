import type { Logger } from 'pino';

import { houseOf } from '../producer/producer-message.js';
import type { AttemptFacts, MessageTableEvents } from './events.js';
import { readTrace } from './trace-context.js';

type Attempted = AttemptFacts & { readonly tookMs: number | null };

/** An attempt in the log: with its house, its trace and whole milliseconds. */
function lineOf({ traceparent, tookMs, ...facts }: Attempted): object {
  const traceId = traceparent === undefined ? undefined : readTrace({ traceparent })?.traceId;
  return { ...facts, house: houseOf(facts.messageId), tookMs: tookMs === null ? null : Math.round(tookMs), traceId };
}

function logAttempts(events: MessageTableEvents, log: Logger): void {
  // A thousand times a second: nothing is made for a line that nobody writes.
  const onDebug = (facts: Attempted, text: string): void => {
    if (log.isLevelEnabled('debug')) log.debug(lineOf(facts), text);
  };
  events.on('attemptConfirmed', (facts) => onDebug(facts, 'message confirmed'));
  events.on('attemptFailed', (facts) => {
    if (facts.to === 'FAILED') log.error(lineOf(facts), 'message given up, a person decides');
    else if (facts.kind === 'refused') log.warn(lineOf(facts), 'message refused, will be sent again');
    else if (facts.kind === 'lacking')
      log.warn(lineOf(facts), 'message cannot be sent by this process, waits for what is missing');
    else onDebug(facts, 'no answer for a message, will be sent again');
  });
}

/** The whole logging policy of the component: constant messages, facts in fields, ids always. */
export function logEvents(events: MessageTableEvents, log: Logger): void {
  logAttempts(events, log);
  events.on('overdue', ({ messages }) => {
    for (const facts of messages)
      log.error(
        { ...facts, house: houseOf(facts.messageId) },
        'no answer for a message for too long, a person may give it up',
      );
  });
  events.on('settleDelayed', (facts) => log.warn(facts, 'outcomes cannot be written now, they are kept'));
  events.on('messageReturned', (facts) => log.warn(facts, 'message returned as unroutable'));
  events.on('leaseLost', (facts) => log.info(facts, 'lease lost, somebody else owns the row'));
  events.on('leasesSwept', (facts) => log.warn(facts, 'leases ended without an outcome'));
  events.on('givenBack', (facts) => log.debug(facts, 'claim given back'));
  events.on('parked', (facts) => log.info(facts, 'messages put off'));
  events.on('groupsServed', ({ groups, unservedHouses }) => {
    if (groups.length > 1 || unservedHouses.length > 0) log.info({ groups }, 'task groups');
    if (unservedHouses.length > 0) log.warn({ unservedHouses }, 'no task group of this process has these houses');
  });
  events.on('nextFiring', ({ group, atMs }) => log.debug({ group, at: new Date(atMs).toISOString() }, 'next firing'));
  events.on('pausesChanged', ({ began, ended }) => {
    for (const pause of began) log.warn(pause, 'paused by a person');
    for (const pause of ended) log.warn(pause, 'resumed by a person');
  });
  events.on('consumeFailed', (facts) => {
    if (facts.to === 'FAILED') log.error(facts, 'message cannot be consumed, a person decides');
    else log.warn(facts, 'message not consumed, will be tried again');
  });
  events.on('putAside', (facts) => log.warn(facts, 'message put aside, alone it meets the trouble of the database'));
  events.on('redelivered', (facts) => log.info(facts, 'message redelivered'));
  logBroker(events, log);
  events.on('transactionRetried', (facts) => log.info(facts, 'transaction lost a race and is repeated'));
  events.on('commitUnknown', (facts) => log.warn(facts, 'commit stayed unanswered'));
  events.on('connectionDestroyed', (facts) => log.warn(facts, 'database connection destroyed'));
  events.on('loopFailed', ({ loop, error }) => log.error({ loop, err: error }, 'loop failed, goes on'));
}

function logBroker(events: MessageTableEvents, log: Logger): void {
  events.on('consumerPaused', (facts) => log.warn(facts, 'consumer paused'));
  events.on('consumerResumed', (facts) => log.info(facts, 'consumer resumed'));
  events.on('consumerLost', (facts) => log.warn(facts, 'consumer lost, it comes back by itself'));
  events.on('brokerLost', (facts) => log.warn(facts, 'no connection to the broker, the next attempt is on its way'));
  events.on('channelUp', (facts) => log.info(facts, 'channel up'));
  events.on('channelDown', (facts) => log.warn(facts, 'channel down'));
  events.on('queuesSeen', ({ queues }) => {
    for (const { queue, reason } of queues)
      if (reason !== null) log.debug({ queue, reason }, 'nobody could look into a queue');
  });
  events.on('channelBlocked', (facts) => log.warn(facts, 'channel blocked by the broker'));
}

/** Of a process that sends its own traces. */
export function logTraces(events: MessageTableEvents, log: Logger): void {
  events.on('traceExport', ({ arriving, reason }) => {
    if (arriving) log.info('traces arrive again');
    else log.warn({ reason }, 'traces do not arrive, they are dropped');
  });
}
