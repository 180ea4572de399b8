import { pick, SERVICE_RULES, SERVICE_SETTINGS, type Rule } from '@counterfoil/message-table';

export const settings = {
  ...pick('ORDER_DB_URL', 'MAX_BACKLOG', 'ORDER_CHANNEL', 'INVENTORY_URL'),
  PORT: { ...pick('PORT').PORT, fallback: '3001' },
  ...SERVICE_SETTINGS,
};

const httpHasUrl: Rule<Pick<typeof settings, 'ORDER_CHANNEL' | 'INVENTORY_URL'>> = (values) =>
  values.ORDER_CHANNEL === 'rabbitmq' || values.INVENTORY_URL !== ''
    ? null
    : 'INVENTORY_URL must be given with ORDER_CHANNEL=http, or nobody knows where deductions go';

export const rules: readonly Rule<typeof settings>[] = [...SERVICE_RULES, httpHasUrl];
