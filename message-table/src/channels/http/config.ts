import { z } from 'zod';

/** Where and how to send a message over HTTP. */
export interface HttpConfig {
  /** `http:` or `https:`, without user, password and fragment; its `host:port` must be in HTTP_ALLOW. */
  readonly url: string;
  /** POST when left out. */
  readonly method?: 'POST' | 'PUT';
  /** Beside those that are ours to set: see docs/reference/http-answers.md. `content-type` is application/json when left out. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The name of the secret that is the value of `Authorization`, looked up at each attempt; never the value. */
  readonly authorization?: `secret:${string}`;
}

/** The same with every field checked. */
export interface HttpTarget {
  readonly url: URL;
  readonly method: 'POST' | 'PUT';
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The name of the secret that is the value of `Authorization`; never the value. */
  readonly secretName: string | null;
}

/** Why a configuration cannot be used. Stable text that never repeats a value: a value may be a secret in the wrong place. */
export interface ConfigFault {
  readonly fault: string;
}

// Ours (framing, identity, trace), the connection's, or a credential that would stand readable in the table.
const FORBIDDEN = new Set(
  `host content-length content-encoding transfer-encoding connection keep-alive upgrade te trailer expect
  idempotency-key x-attempt x-created traceparent tracestate authorization cookie proxy-authorization
  proxy-authenticate proxy-connection`.split(/\s+/),
);

const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Visible ASCII, blanks only inside. */
export const isHeaderValue = (value: string): boolean => /^(?:[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?)?$/.test(value);

/** `type/subtype`, whatever follows. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?: *;.*)?$/;

const URL_RULE = 'must be an http: or https: URL without user, password and fragment';
const HEADERS_RULE = 'must be an object of texts';

const Headers = z
  .unknown()
  // Before it is taken apart: zod, like most readers, would leave it out without a word.
  .refine((headers) => !Object.hasOwn(Object(headers) as object, '__proto__'), { error: 'must not set __proto__' })
  .pipe(z.record(z.string(), z.string({ error: HEADERS_RULE }), { error: HEADERS_RULE }));

const Shape = z.strictObject(
  {
    url: z.string({ error: URL_RULE }).refine(isUsableUrl, { error: URL_RULE }),
    method: z.enum(['POST', 'PUT'], { error: 'must be POST or PUT' }).default('POST'),
    headers: Headers.default({}),
    authorization: z
      .string({ error: 'must be secret:NAME' })
      .regex(/^secret:[\w.-]{1,64}$/, { error: 'must be secret:NAME' })
      .optional(),
  },
  { error: 'must be an object with url, method, headers, authorization and nothing else' },
);

/** Reads what a message's `channelConfig` says. */
export function parseHttpConfig(text: string | null): HttpTarget | ConfigFault {
  const json = parseJson(text);
  if (json === undefined) return { fault: 'config must be JSON' };
  const parsed = Shape.safeParse(json);
  if (!parsed.success) return { fault: faultOf(parsed.error) };
  const { url, method, headers, authorization } = parsed.data;
  const fault = headersFault(headers);
  if (fault !== null) return { fault: `config.headers ${fault}` };
  return {
    url: new URL(url),
    method,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    secretName: authorization?.slice('secret:'.length) ?? null,
  };
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined; // the parser's own message quotes the text
  }
}

function faultOf({ issues }: z.ZodError): string {
  const { path, message } = issues[0] ?? { path: [], message: 'cannot be read' };
  // Only the field: the name of a header came from outside.
  return path[0] === undefined ? `config ${message}` : `config.${String(path[0])} ${message}`;
}

function isUsableUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + hash === '';
}

function headersFault(headers: Readonly<Record<string, string>>): string | null {
  const names = Object.keys(headers).map((name) => name.toLowerCase());
  if (!names.every((name) => TOKEN.test(name))) return 'has a name that is not an HTTP token';
  const forbidden = names.find((name) => FORBIDDEN.has(name));
  if (forbidden !== undefined) return `must not set ${forbidden}`;
  if (new Set(names).size < names.length) return 'names one header twice';
  if (!Object.values(headers).every(isHeaderValue)) return 'has a value that is not printable ASCII';
  const [, contentType] = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  return contentType === undefined || MEDIA_TYPE.test(contentType) ? null : 'has a content-type that is no media type';
}
