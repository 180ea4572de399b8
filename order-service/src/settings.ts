import { pick, SERVICE_SETTINGS } from '@counterfoil/message-table';

export const settings = {
  ...pick('ORDER_DB_URL', 'ORDER_SHARD', 'MAX_BACKLOG'),
  PORT: { ...pick('PORT').PORT, fallback: '3001' },
  ...SERVICE_SETTINGS,
};
