import { retriesTakeMs, type SETTINGS } from './common-settings.js';
import type { Rule } from './settings.js';

export const someChannel: Rule<Pick<typeof SETTINGS, 'AMQP_URL' | 'HTTP_ALLOW'>> = (values) =>
  values.AMQP_URL === '' && values.HTTP_ALLOW.length === 0
    ? 'AMQP_URL or HTTP_ALLOW must be given, or no message can be sent'
    : null;

export const privateIsAllowed: Rule<Pick<typeof SETTINGS, 'HTTP_ALLOW' | 'HTTP_ALLOW_PRIVATE'>> = (values) => {
  const stray = values.HTTP_ALLOW_PRIVATE.filter((entry) => !values.HTTP_ALLOW.includes(entry));
  return stray.length === 0 ? null : `HTTP_ALLOW_PRIVATE has ${stray.join(', ')}, which HTTP_ALLOW has not`;
};

/** While the window lasts, trouble uses attempts: an outage must not use up all of them. Gaps may be a fifth shorter. */
export const windowEndsBeforeAttempts: Rule<
  Pick<typeof SETTINGS, 'HTTP_ALLOW' | 'BREAKER_WINDOW_MS' | 'MAX_RETRY_COUNT' | 'RETRY_BASE_MS' | 'RETRY_MAX_MS'>
> = (values) => {
  const longest = Math.floor(0.8 * retriesTakeMs(values));
  return values.HTTP_ALLOW.length === 0 || values.BREAKER_WINDOW_MS <= longest
    ? null
    : `BREAKER_WINDOW_MS must be at most ${String(longest)}: MAX_RETRY_COUNT attempts take no longer, and an outage would end messages FAILED`;
};
