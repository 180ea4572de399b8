import { parseArgs } from 'node:util';

export type Tool = 'k6' | 'docker' | 'built-in';

export interface RunFlags {
  readonly profile: string;
  /** Of a running order service; null starts a private system for the run. */
  readonly url: string | null;
  readonly inventoryUrl: string | null;
  /** Peak of the profile, orders a second. */
  readonly rate: number | undefined;
  /** Length of the profile in all. */
  readonly seconds: number | undefined;
  /** Null takes the first that is there: k6, k6 in Docker, the built-in generator. */
  readonly tool: Tool | null;
  readonly json: string | null;
  readonly list: boolean;
}

export const USAGE = `Usage: npm run loadtest [-- options]

Places orders as a profile says, whatever the answers do, waits until the stock moves no more, and counts in it.

  --profile NAME        steady unless given; --list names them
  --url URL             of a running order service; without it a private system is started for the run
  --inventory-url URL   of its inventory service; the next port after --url unless given
  --rate N              another peak, orders a second
  --seconds N           another length
  --with TOOL           k6, docker (k6 in a container) or built-in; the first that is there unless given
  --json FILE           writes the summary there, too

Ends with 0, with 99 when a threshold does not hold, with 1 when the run could not be made.`;

const OPTIONS = {
  profile: { type: 'string', default: 'steady' },
  url: { type: 'string' },
  'inventory-url': { type: 'string' },
  rate: { type: 'string' },
  seconds: { type: 'string' },
  with: { type: 'string' },
  json: { type: 'string' },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/** @throws Error that says which flag is wrong; null when help is asked for */
export function readFlags(args: readonly string[]): RunFlags | null {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  if (values.help) return null;
  const url = values.url === undefined ? null : plainUrl('--url', values.url);
  return {
    profile: values.profile,
    url,
    inventoryUrl: inventoryUrlOf(url, values['inventory-url']),
    rate: wholeNumber('--rate', values.rate, 100_000),
    seconds: wholeNumber('--seconds', values.seconds, 86_400),
    tool: toolOf(values.with),
    json: values.json ?? null,
    list: values.list,
  };
}

function inventoryUrlOf(orderUrl: string | null, given: string | undefined): string | null {
  if (given !== undefined) {
    if (orderUrl === null) throw new Error('--inventory-url needs --url');
    return plainUrl('--inventory-url', given);
  }
  if (orderUrl === null) return null;
  const next = new URL(orderUrl);
  if (next.port === '') throw new Error('--url has no port, so say --inventory-url, too');
  next.port = String(Number(next.port) + 1);
  return plainUrl('--inventory-url', next.href);
}

function plainUrl(flag: string, text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new Error(`${flag} is not a URL like http://127.0.0.1:3001`);
  return text.replace(/\/+$/, '');
}

function wholeNumber(flag: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`${flag} must be a whole number from 1 to ${String(max)}, not '${text}'`);
}

const TOOLS: readonly Tool[] = ['k6', 'docker', 'built-in'];

function toolOf(text: string | undefined): Tool | null {
  const tool = TOOLS.find((each) => each === text);
  if (tool === undefined && text !== undefined) throw new Error(`--with must be one of ${TOOLS.join(', ')}`);
  return tool ?? null;
}
