import { MEANINGS, type Difference, type DifferenceKind } from '../difference.js';
import type { Looked } from '../reconcile.js';

/** A difference and, where it was to be repaired, what became of that. */
export interface Listed extends Difference {
  readonly repaired: string | null;
}

export interface Ending {
  readonly looked: Looked;
  readonly inFlightMs: number;
}

/** Writes as it goes: a million differences are a million lines and not a large memory. */
export interface Listing {
  add(listed: Listed): void;
  /** @param ending null: it could not be told */
  end(ending: Ending | null, error: string | null): void;
}

type Write = (text: string) => void;

class Counts {
  private readonly counts = new Map<DifferenceKind, number>();

  /** @returns true for the first of its kind */
  add(kind: DifferenceKind): boolean {
    const before = this.counts.get(kind) ?? 0;
    this.counts.set(kind, before + 1);
    return before === 0;
  }

  get all(): Record<string, number> {
    return Object.fromEntries(this.counts);
  }
}

export function textListing(write: Write): Listing {
  const counts = new Counts();
  return {
    add: ({ kind, route, orderId, messageId, detail, repaired }) => {
      const { means, todo } = MEANINGS[kind];
      if (counts.add(kind)) write(`\n${kind}: ${means}\n  what to do: ${todo}\n`);
      const names = [`order ${orderId ?? '?'}`, `${route} ${messageId ?? '?'}`, detail];
      write(`  ${kind}  ${names.join('  ')}${repaired === null ? '' : `  → ${repaired}`}\n`);
    },
    end: (ending, error) => {
      if (ending === null) return write(`\nIt cannot be told: ${error ?? ''}\n`);
      const found = Object.entries(counts.all).map(([kind, count]) => `${kind} ${String(count)}`);
      write(`\n${found.length === 0 ? 'No difference' : `Differences: ${found.join(', ')}`}\n${lookedText(ending)}\n`);
    },
  };
}

const lookedText = ({ looked, inFlightMs }: Ending): string =>
  [
    `Looked at ${String(looked.orders)} orders`,
    `${String(looked.deductions)} deductions with ${String(looked.deductionNotes)} notes`,
    `${String(looked.decisions)} decisions with ${String(looked.decisionNotes)} notes`,
  ].join(', ') + `; what is younger than ${String(inFlightMs / 1000)} s is on its way`;

/** One JSON document: `{"differences":[…],"counts":{…},"looked":{…},"inFlightMs":…,"error":null}`. */
export function jsonListing(write: Write): Listing {
  const counts = new Counts();
  let separator = '{"differences":[\n';
  return {
    add: (listed) => {
      counts.add(listed.kind);
      const { means, remedy, todo } = MEANINGS[listed.kind];
      write(`${separator}${JSON.stringify({ ...listed, means, remedy, todo })}`);
      separator = ',\n';
    },
    end: (ending, error) => {
      const rest = {
        counts: counts.all,
        looked: ending?.looked ?? null,
        inFlightMs: ending?.inFlightMs ?? null,
        error,
      };
      write(`${separator.startsWith('{') ? separator : '\n'}],${JSON.stringify(rest).slice(1)}\n`);
    },
  };
}
