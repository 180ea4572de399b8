/** What the headers of a message say about its way here. They come from outside: nothing is taken on trust. */

export type Headers = Readonly<Record<string, unknown>>;

/** As a note keeps them. Its message is owed its effect whatever a hand has made of them. */
export function headersIn(text: string | null): Headers {
  try {
    const parsed: unknown = JSON.parse(text ?? '{}');
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? (parsed as Headers) : {};
  } catch {
    return {};
  }
}

const numberIn = (headers: Headers, name: string): number | undefined => {
  const value = headers[name];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
};

/** `x-created`: when the message was accepted, ms since 1970 on its producer's database clock. */
export const createdMsOf = (headers: Headers): number | undefined => numberIn(headers, 'x-created');

export const REDELIVERY_HEADER = 'x-redelivery';

/** `x-redelivery`: the version of the claim that a republished copy belongs to; absent on every other message. */
export const redeliveryOf = (headers: Headers): number | undefined => numberIn(headers, REDELIVERY_HEADER);

export interface Death {
  readonly queue: string;
  readonly exchange: string;
  readonly routingKey: string;
  /** 'delivery_limit', 'rejected', 'expired' or 'maxlen'. */
  readonly reason: string;
}

/** The latest entry of `x-death`: where the message was when the broker gave it up, and how it had got there. */
export function deathOf(headers: Headers): Death | null {
  const deaths: unknown = headers['x-death'];
  const [latest] = Array.isArray(deaths) ? (deaths as unknown[]) : [];
  if (typeof latest !== 'object' || latest === null) return null;
  const { queue, exchange, reason, 'routing-keys': keys } = latest as Record<string, unknown>;
  const [routingKey] = Array.isArray(keys) ? (keys as unknown[]) : [];
  if (![queue, exchange, routingKey, reason].every((field) => typeof field === 'string')) return null;
  return { queue, exchange, routingKey, reason } as Death;
}

const OF_ONE_DELIVERY = /^x-(?:death|first-death-.*|last-death-.*|delivery-count|acquired-count|attempt)$/;

/** Without what describes a delivery that is over. */
export const headersToRepublish = (headers: Headers): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_ONE_DELIVERY.test(name)));
