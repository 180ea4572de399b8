import { parseArgs } from 'node:util';

export interface ReconcileFlags {
  readonly json: boolean;
  readonly inFlightMs: number;
  readonly days: number;
  readonly replay: boolean;
  readonly why: string | null;
  readonly who: string | null;
}

export const USAGE = `Usage: npm run reconcile [-- options]

Compares the orders, messages and deductions of a running system and lists every difference: what it means and what to do.

  --json          the same, for programs
  --age SECONDS   what is younger is on its way, and no difference (60)
  --days N        looks so far back; not further than RETENTION_ARCHIVE_DAYS of the services (30)
  --replay        repairs what can be repaired: replays what was sent and never arrived, retries what was given up
  --why TEXT      the reason, which is recorded with every repair
  --who NAME      in whose name (the user of this shell)

The system is that of ORDER_DB_URL and INVENTORY_DB_URL; without them that of npm start or npm run stack on this machine.
RETENTION_INBOX_MS says how long its services keep their notes: what is older is not replayed (7 days).

Ends with 0 when there is no difference, 1 when there is one, repaired or not, 2 when it cannot tell.`;

/** @throws Error that says which flag is wrong; null when help is asked for */
export function readFlags(args: readonly string[]): ReconcileFlags | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      age: { type: 'string', default: '60' },
      days: { type: 'string', default: '30' },
      replay: { type: 'boolean', default: false },
      why: { type: 'string' },
      who: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return null;
  return {
    json: values.json,
    inFlightMs: 1000 * wholeNumber('--age', values.age, 0, 86_400),
    days: wholeNumber('--days', values.days, 1, 3_650),
    replay: values.replay,
    why: text('--why', values.why, 500),
    who: text('--who', values.who, 100),
  };
}

function wholeNumber(flag: string, given: string, min: number, max: number): number {
  const value = Number(given);
  if (given !== '' && Number.isInteger(value) && value >= min && value <= max) return value;
  throw new Error(`${flag} must be a whole number from ${String(min)} to ${String(max)}, not '${given}'`);
}

/** As long as its column of message_action. */
function text(flag: string, given: string | undefined, longest: number): string | null {
  if (given === undefined) return null;
  const trimmed = given.trim();
  if (trimmed !== '' && trimmed.length <= longest) return trimmed;
  throw new Error(`${flag} must be a text of 1 to ${String(longest)} characters`);
}
