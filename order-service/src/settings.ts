import {
  destinationFault,
  pick,
  required,
  SERVICE_RULES,
  SERVICE_SETTINGS,
  type Rule,
} from '@counterfoil/message-table';

export const settings = {
  ...pick('ORDER_DB_URL', 'ORDER_SHARD', 'MAX_BACKLOG', 'ORDER_CHANNEL', 'INVENTORY_URL'),
  PORT: { ...pick('PORT').PORT, fallback: '3001' },
  ...SERVICE_SETTINGS,
  // Its queue is consumed.
  AMQP_URL: required(SERVICE_SETTINGS.AMQP_URL),
};

type HttpSetting = 'ORDER_CHANNEL' | 'INVENTORY_URL' | 'HTTP_ALLOW' | 'HTTP_ALLOW_PRIVATE';

const httpHasAWay: Rule<Pick<typeof settings, HttpSetting>> = (values) => {
  if (values.ORDER_CHANNEL === 'rabbitmq') return null;
  if (values.INVENTORY_URL === '')
    return 'INVENTORY_URL must be given with ORDER_CHANNEL=http, or nobody knows where deductions go';
  const rules = { allowed: new Set(values.HTTP_ALLOW), privateAllowed: new Set(values.HTTP_ALLOW_PRIVATE) };
  const fault = destinationFault(rules, new URL(values.INVENTORY_URL));
  return fault === null ? null : `INVENTORY_URL: no order can be taken, because ${fault}`;
};

export const rules: readonly Rule<typeof settings>[] = [...SERVICE_RULES, httpHasAWay];
