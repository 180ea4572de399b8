import { pick, SERVICE_SETTINGS } from '@counterfoil/message-table';

export const settings = {
  ...pick('INVENTORY_DB_URL'),
  PORT: { ...pick('PORT').PORT, fallback: '3002' },
  ...SERVICE_SETTINGS,
};
