/** How much is open at one look, by kind: rows, orders, each queue; null: not counted. */
export type OpenThings = Readonly<Record<string, number | null>>;

/**
 * Progress is that something is less than it ever was, each kind by itself: while a queue is drained rows come and go, and
 * orders are only counted when there are none. What goes up and down for ever makes no progress, because a least only falls.
 */
export class Progress {
  private readonly least = new Map<string, number>();

  isMade(open: OpenThings): boolean {
    const fallen = Object.entries(open).filter(([kind, count]) => (count ?? Infinity) < this.leastOf(kind));
    for (const [kind, count] of fallen) this.least.set(kind, count ?? Infinity);
    return fallen.length > 0;
  }

  private leastOf(kind: string): number {
    return this.least.get(kind) ?? Infinity;
  }
}
