import { z } from 'zod';

import { isHostPort } from '../channels/http/host-port.js';
import { connectionOptions } from '../database/connection.js';

/** The kinds of values that settings have, as parsers of environment text. */

export const integer = (min: number, max: number): z.ZodType<number, string> =>
  z
    .string()
    .regex(/^-?\d+$/, 'is not a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be from ${String(min)} to ${String(max)}`);

export const oneOf = <const Choice extends string>(...choices: readonly Choice[]): z.ZodType<Choice, string> =>
  z.string().transform((text, context) => {
    const found = choices.find((choice) => choice === text);
    if (found !== undefined) return found;
    context.addIssue(`must be one of ${choices.join(', ')}`);
    return z.NEVER;
  });

export const switchedOn: z.ZodType<boolean, string> = oneOf('on', 'off').transform((value) => value === 'on');

/** Short lower-case names, for parts of queues' names; none is null. */
export const nameOrNone: z.ZodType<string | null, string> = z
  .string()
  .regex(/^(?:[a-z0-9][a-z0-9-]{0,19})?$/, 'is not a name of 1 to 20 lower-case letters, digits and hyphens')
  .transform((name) => (name === '' ? null : name));

export interface IdRange {
  readonly first: number;
  readonly last: number;
}

/** `first-last`, both included. */
export const idRange = (lowest: number, highest: number): z.ZodType<IdRange, string> =>
  z
    .string()
    .regex(/^\d+-\d+$/, 'is not a range like 0-511')
    .transform((text) => {
      const [first = 0, last = 0] = text.split('-').map(Number);
      return { first, last };
    })
    .refine(
      ({ first, last }) => lowest <= first && first <= last && last <= highest,
      `must lie within ${String(lowest)}-${String(highest)}`,
    );

export const databaseUrl: z.ZodType<string, string> = z
  .string()
  .refine(
    namesDatabase,
    'is not a URL like mysql://user:password@host:3306/name (in which a % of the password is written %25)',
  );

function namesDatabase(url: string): boolean {
  try {
    const { host, database } = connectionOptions(url, 0);
    return host !== '' && database !== '';
  } catch {
    return false;
  }
}

/** Empty where there is none. */
export const httpUrl: z.ZodType<string, string> = z
  .string()
  .refine(
    (text) => text === '' || (/^https?:\/\//.test(text) && URL.canParse(text) && !/[?#@]/.test(text)),
    'is not a URL like http://host:3002',
  );

export const amqpUrls: z.ZodType<string, string> = z
  .string()
  .refine(
    (text) =>
      text === '' || text.split(',').every((url) => /^amqps?:\/\//.test(url.trim()) && URL.canParse(url.trim())),
    'is not a URL like amqp://user:password@host:5672/vhost (several with commas)',
  );

/** `host:port`, separated by commas; one that no URL could match would only show as refused messages. */
export const hostPorts: z.ZodType<readonly string[], string> = z
  .string()
  .transform((text) =>
    text
      .split(',')
      .map((entry) => entry.trim())
      .filter((entry) => entry !== ''),
  )
  .refine((entries) => entries.every(isHostPort), 'must be host:port as a URL writes the host (several with commas)');
