import { PermanentError, type Effect } from '@counterfoil/message-table';

// #region effect
interface Answer {
  readonly bookingId: string;
  readonly free: boolean;
}

/** What the hotel's answer does, in the transaction that notes that it did. */
export const answerEffect: Effect<Answer> = {
  name: 'bookings.room-answer', // never changes: what was done under another name could be done again
  maxRetryCount: 5,
  read: ({ body }) => {
    const answer = parsed(body);
    if (!isAnswer(answer)) throw new PermanentError('The body is no answer'); // FAILED at once, for a person
    return answer;
  },
  apply: async (trx, items) => {
    for (const { value } of items) {
      await trx.raw(
        `UPDATE booking SET status = ?, update_time = NOW(3) WHERE id = ? AND status = 'ASKED'`, // answers have no order
        [value.free ? 'BOOKED' : 'FULL', value.bookingId],
      );
    }
  },
};
// #endregion effect

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
}

function isAnswer(value: unknown): value is Answer {
  const { bookingId, free } = Object(value) as Partial<Record<keyof Answer, unknown>>;
  return typeof bookingId === 'string' && typeof free === 'boolean';
}
