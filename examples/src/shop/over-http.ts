import { createHttpChannel, type Channel, type TaskCommand } from '@counterfoil/message-table';

// #region http
/** Beside RabbitMQ's, in `channels` of the table and of every relay. */
export const partners = (token: string): Channel =>
  createHttpChannel({
    allow: ['partner.example:443'],
    secrets: (name) => (name === 'PARTNER' ? `Bearer ${token}` : undefined),
  });

export const parcelCommand = (item: string): TaskCommand => ({
  taskName: 'partner.parcel',
  channel: 'http',
  config: { url: 'https://partner.example/parcels', authorization: 'secret:PARTNER' },
  content: { item },
});
// #endregion http
