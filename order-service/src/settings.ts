import { pick, required, SERVICE_SETTINGS } from '@counterfoil/message-table';

export const settings = {
  ...pick('ORDER_DB_URL', 'MAX_BACKLOG'),
  PORT: { ...pick('PORT').PORT, fallback: '3001' },
  ...SERVICE_SETTINGS,
  // Its queue is consumed.
  AMQP_URL: required(SERVICE_SETTINGS.AMQP_URL),
};
