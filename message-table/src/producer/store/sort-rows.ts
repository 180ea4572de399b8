export interface DueRow {
  readonly id: string;
  readonly version: number;
  readonly messageId: string;
  readonly channel: string;
  readonly exchange: string;
  readonly routingKey: string;
  readonly channelConfig: string | null;
  readonly retryCount: number;
  readonly maxRetryCount: number;
  readonly lostCount: number;
  readonly contentBytes: number | string;
}

/** A row that must be sent alone; it stays PENDING until a claim of its own takes it. */
export type Suspect = Omit<DueRow, 'contentBytes' | 'lostCount'>;

/** Why and for how long a row is put off. */
export interface Obstacle {
  /** What is in the way. When it is a destination or a channel, and that is free again, its rows are pulled forward. */
  readonly parkedFor: string;
  readonly ms: number;
}

export interface SortOptions {
  /** Rows taken at most. */
  readonly limit: number;
  /** Content bytes in one batch at most; one row is taken whatever its size. */
  readonly byteBudget: number;
  /** What keeps a row from being sent now, or null. */
  readonly obstacle: (row: DueRow) => Obstacle | null;
  /** Suspects of one house beyond this many are put off a little, so that a crowd of them never hides the rows behind. */
  readonly suspectsKept: number;
  /** Ids of suspects that an earlier claim of the pass left to be sent alone: their destinations were asked about. */
  readonly suspectsMet?: ReadonlySet<string>;
}

export interface PutOff {
  readonly obstacle: Obstacle;
  readonly rows: readonly DueRow[];
}

const CROWD_OF_SUSPECTS: Obstacle = { parkedFor: 'suspects', ms: 2_000 };

/** What a claim does with the rows that it met: takes them, leaves them to be sent alone, or puts them off. */
export class SortedRows {
  readonly taken: DueRow[] = [];
  readonly suspects: Suspect[] = [];
  private readonly putOff = new Map<string, { readonly obstacle: Obstacle; readonly rows: DueRow[] }>();
  /** The last row was left because of its size: the rest of its house was not looked at. */
  isOverBudget = false;
  private bytes = 0;

  constructor(private readonly options: SortOptions) {}

  /** No further row can be taken. */
  get isFull(): boolean {
    return this.isOverBudget || this.taken.length >= this.options.limit;
  }

  /** Rows to put off, those with the same thing in their way together. */
  get later(): readonly PutOff[] {
    return [...this.putOff.values()];
  }

  /** @param due of one house, in their order */
  add(due: readonly DueRow[]): void {
    const suspectsMost = this.suspects.length + this.options.suspectsKept;
    for (const row of due) {
      // Before anybody is asked about it: who asks for the one that may try a silent destination has to send it.
      this.isOverBudget = row.lostCount === 0 && this.isTooMuch(row);
      if (this.isFull) return;
      this.sort(row, suspectsMost);
    }
  }

  private sort(row: DueRow, suspectsMost: number): void {
    if (this.options.suspectsMet?.has(row.id) === true) return;
    const isSurplus = row.lostCount > 0 && this.suspects.length >= suspectsMost;
    const obstacle = isSurplus ? CROWD_OF_SUSPECTS : this.options.obstacle(row);
    if (obstacle !== null) this.putRowOff(obstacle, row);
    else if (row.lostCount > 0) this.suspects.push(row);
    else {
      this.bytes += Number(row.contentBytes);
      this.taken.push(row);
    }
  }

  private isTooMuch({ contentBytes }: DueRow): boolean {
    return this.taken.length > 0 && this.bytes + Number(contentBytes) > this.options.byteBudget;
  }

  private putRowOff(obstacle: Obstacle, row: DueRow): void {
    const group = this.putOff.get(obstacle.parkedFor);
    if (group === undefined) this.putOff.set(obstacle.parkedFor, { obstacle, rows: [row] });
    else group.rows.push(row);
  }
}
