import { pick, required, SERVICE_SETTINGS } from '@counterfoil/message-table';

export const settings = {
  ...pick('INVENTORY_DB_URL'),
  PORT: { ...pick('PORT').PORT, fallback: '3002' },
  ...SERVICE_SETTINGS,
  // Its queue is consumed.
  AMQP_URL: required(SERVICE_SETTINGS.AMQP_URL),
};
