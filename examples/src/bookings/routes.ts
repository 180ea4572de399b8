import { topologyOf } from '@counterfoil/message-table';

// #region routes
/** What goes out, and what comes back. Both services share this, as a small package or a copied file. */
export const ASK = { exchange: 'hotel', routingKey: 'room.ask', queue: 'hotel.room-ask', deadQueue: 'hotel.dead' };
export const ANSWER = {
  exchange: 'bookings',
  routingKey: 'room.answer',
  queue: 'bookings.room-answer',
  deadQueue: 'bookings.dead',
};
export const topology = topologyOf(ASK, ANSWER);
// #endregion routes
