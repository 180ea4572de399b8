import { runInTransaction, type MessageTable } from '@counterfoil/message-table';

import { ASK } from './routes.js';

// #region book
/** Keeps the booking and asks the hotel: both, or neither. */
export function bookRoom({ db, acceptor, newId }: MessageTable, room: string): Promise<string> {
  return runInTransaction(db, async (trx) => {
    const id = newId();
    await trx.raw('INSERT INTO booking (id, room, update_time) VALUES (?, ?, NOW(3))', [id, room]);
    await acceptor.accept(trx, {
      taskName: 'hotel.room-ask',
      channel: 'rabbitmq',
      config: { exchange: ASK.exchange, routingKey: ASK.routingKey },
      content: { bookingId: id, room },
    });
    return id;
  });
}
// #endregion book
