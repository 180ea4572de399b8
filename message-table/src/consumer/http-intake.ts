import { inParts } from '../in-parts.js';
import { Turns } from '../service/turns.js';
import { isNoFaultOfTheMessage } from './blame.js';
import type { Received } from './consumer-message.js';
import type { Ending } from './ending.js';
import type { Inbox } from './inbox.js';

/**
 * What became of a message that came by HTTP.
 *
 * - an {@link Ending}: its note is committed, but for 'unstorable'.
 * - 'not-accepted': its turn did not come in time, nothing was tried.
 * - 'not-known': the database did not answer; the sender sends it again under the same id, and the inbox makes it once.
 */
export type TakenIn = Ending | 'not-accepted' | 'not-known';

export interface HttpIntakeOptions {
  /** Keeps the notes; of {@link QueueConsuming} or one's own. */
  readonly inbox: Inbox;
  /** Messages in one transaction at most. */
  readonly batch: number;
}

/** So long the first message of a batch waits for company. */
const LINGER_MS = 4;
/** Beside the consumer of the queue, which uses the same tables. */
const RUNS = 2;
/** How long a message waits for its turn at most; its sender would give up soon after. */
const TURN_WAIT_MS = 2_000;
/** Messages that wait or are being handled at most; more would only wait longer. */
const WAITING_LIMIT = 2_000;
/** So many of a batch that meet the database's own trouble alone say that all would. */
const SAYS_OUTAGE = 2;

/** The HTTP way into an inbox: what comes in together is handled in batches, as that of a queue is. */
export class HttpIntake {
  private readonly turns: Turns<Received, TakenIn>;

  constructor({ inbox, batch }: HttpIntakeOptions) {
    this.turns = new Turns<Received, TakenIn>({
      ...{ maxItems: batch, maxWaitMs: LINGER_MS, maxRuns: RUNS },
      ...{ turnWaitMs: TURN_WAIT_MS, refusal: 'not-accepted' },
      run: (messages) => handleInParts(inbox, messages),
    });
  }

  /** @throws Error for a bug; nothing is known about the message then */
  take(message: Received): Promise<TakenIn> {
    return this.turns.size >= WAITING_LIMIT ? Promise.resolve('not-accepted') : this.turns.take(message);
  }
}

/** Each part fits one statement; what happened to one says nothing about the others. */
async function handleInParts(inbox: Inbox, messages: readonly Received[]): Promise<TakenIn[]> {
  const taken: TakenIn[] = [];
  const parts = inParts(messages, ({ body }) => body.length, await inbox.batchBytes());
  for (const part of parts) taken.push(...(await handle(inbox, part)));
  return taken;
}

async function handle(inbox: Inbox, messages: readonly Received[]): Promise<TakenIn[]> {
  try {
    return await inbox.handle(messages);
  } catch (error) {
    if (!isNoFaultOfTheMessage(error)) throw error;
    return messages.length > 1 ? handleOneByOne(inbox, messages) : ['not-known'];
  }
}

/** One of them may be the only one that meets trouble; where two do, the others are not made to wait for theirs. */
async function handleOneByOne(inbox: Inbox, messages: readonly Received[]): Promise<TakenIn[]> {
  const taken: TakenIn[] = [];
  for (const message of messages) {
    const isOutage = taken.filter((one) => one === 'not-known').length >= SAYS_OUTAGE;
    taken.push(...(isOutage ? (['not-known'] as const) : await handle(inbox, [message])));
  }
  return taken;
}
