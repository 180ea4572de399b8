import { hostPortOf, pick, required, SERVICE_RULES, SERVICE_SETTINGS, type Rule } from '@counterfoil/message-table';

export const settings = {
  ...pick('ORDER_DB_URL', 'ORDER_SHARD', 'MAX_BACKLOG', 'ORDER_CHANNEL', 'INVENTORY_URL'),
  PORT: { ...pick('PORT').PORT, fallback: '3001' },
  ...SERVICE_SETTINGS,
  // Its queue is consumed.
  AMQP_URL: required(SERVICE_SETTINGS.AMQP_URL),
};

const httpHasAWay: Rule<Pick<typeof settings, 'ORDER_CHANNEL' | 'INVENTORY_URL' | 'HTTP_ALLOW'>> = (values) => {
  if (values.ORDER_CHANNEL === 'rabbitmq') return null;
  if (values.INVENTORY_URL === '')
    return 'INVENTORY_URL must be given with ORDER_CHANNEL=http, or nobody knows where deductions go';
  const hostPort = hostPortOf(new URL(values.INVENTORY_URL));
  return values.HTTP_ALLOW.includes(hostPort)
    ? null
    : `HTTP_ALLOW must have ${hostPort} with ORDER_CHANNEL=http, or no order can be taken`;
};

export const rules: readonly Rule<typeof settings>[] = [...SERVICE_RULES, httpHasAWay];
