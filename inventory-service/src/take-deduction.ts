import type { IncomingMessage } from 'node:http';

import { DEDUCTIONS_PATH } from '@counterfoil/contracts';
import {
  httpToReceived,
  idempotencyKeyOf,
  Problem,
  type Effect,
  type Received,
  type TakenIn,
} from '@counterfoil/message-table';
import { assertPlain } from '@counterfoil/message-table/fastify';
import type { FastifyPluginCallback, onRequestAsyncHookHandler } from 'fastify';

export interface TakeDeductionOptions {
  readonly effect: Effect;
  readonly take: (message: Received) => Promise<TakenIn>;
  /** Why nothing can be taken now (starting, stopping), or null. */
  readonly closedBecause: () => string | null;
}

/**
 * `POST /deductions` with `Idempotency-Key: <message id>`: the HTTP way to the effect that the queue leads to, through
 * the same inbox, so that a message takes effect once by whichever way and however often it comes.
 */
export const takeDeduction =
  (options: TakeDeductionOptions): FastifyPluginCallback =>
  (app, _options, done) => {
    // It is kept byte for byte, whatever it is.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('application/json', { parseAs: 'buffer' }, ({ headers }, body, parsed) => {
      assertPlain(headers);
      parsed(null, body);
    });
    const onRequest: onRequestAsyncHookHandler = async ({ raw }) => refuseAtTheDoor(options, raw);
    app.post(DEDUCTIONS_PATH, { onRequest }, async ({ raw, body }, reply) => {
      const { effect, take } = options;
      const message = httpToReceived(
        { messageId: messageIdOf(raw), headers: raw.headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) },
        { consumer: effect.name, path: DEDUCTIONS_PATH },
      );
      const { status, says } = answerTo(await take(message), message, effect);
      void reply.code(status);
      return { messageId: message.messageId, status: says };
    });
    done();
  };

function refuseAtTheDoor({ closedBecause }: TakeDeductionOptions, request: IncomingMessage): void {
  const closed = closedBecause();
  if (closed !== null) throw new Problem(503, 'not-accepted', closed, 1);
  messageIdOf(request);
}

/** The message id, as the sender of every attempt says it. */
function messageIdOf(request: IncomingMessage): string {
  const key = idempotencyKeyOf(request);
  if (key === null) throw new Problem(400, 'idempotency-key-invalid', 'Idempotency-Key must be the message id');
  return key;
}

interface Answer {
  readonly status: 200 | 202;
  /** The status of the note. */
  readonly says: string;
}

/** 2xx means that the sender may forget the message: its effect is committed, or this service owns it. */
function answerTo(taken: TakenIn, message: Received, effect: Effect): Answer {
  const refusal = REFUSALS[taken];
  if (refusal !== undefined) throw new Problem(...refusal);
  if (taken === 'success' || taken === 'SUCCESS') return { status: 200, says: 'SUCCESS' };
  if (taken === 'FAILED' && !isReadable(effect, message))
    throw new Problem(422, 'not-a-deduction', 'The body is not a deduction; it is kept as FAILED');
  return { status: 202, says: taken };
}

const REFUSALS: Readonly<Partial<Record<TakenIn, ConstructorParameters<typeof Problem>>>> = {
  unstorable: [400, 'not-kept', 'No statement of the database can hold this message: nothing of it was kept'],
  'not-accepted': [503, 'not-accepted', 'Too many messages wait to be handled', 1],
  'not-known': [503, 'outcome-unknown', 'The database did not answer; repeat with the same Idempotency-Key', 1],
};

function isReadable(effect: Effect, message: Received): boolean {
  try {
    effect.read(message);
    return true;
  } catch {
    return false;
  }
}
