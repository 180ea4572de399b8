/** What the processes count themselves, for the live view only; the books never ask them. */
export interface Counters {
  readonly sentByFastPath: number;
  readonly sentByRelay: number;
  readonly consumed: number;
}

const NONE: Counters = { sentByFastPath: 0, sentByRelay: 0, consumed: 0 };

export function readCounters(metrics: string): Counters {
  const lines = metrics.split('\n').filter((line) => line.startsWith('counterfoil_messages_'));
  const valueOf = (metric: string, ...labels: readonly string[]): number => {
    const line = lines.find(
      (each) => /^\w+/.exec(each)?.[0] === metric && labels.every((label) => each.includes(label)),
    );
    return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ') + 1));
  };
  return {
    sentByFastPath: valueOf('counterfoil_messages_settled_total', 'via="fast-path"', 'to="SENT"'),
    sentByRelay: valueOf('counterfoil_messages_settled_total', 'via="relay"', 'to="SENT"'),
    consumed: valueOf('counterfoil_messages_consumed_total'),
  };
}

/** Sums the counters of processes, each of which begins again at 0 when it is restarted. */
export class CounterTotals {
  private readonly last = new Map<string, Counters>();
  private readonly before = new Map<string, Counters>();

  record(process: string, now: Counters): void {
    const last = this.last.get(process) ?? NONE;
    const wasRestarted =
      now.sentByFastPath < last.sentByFastPath || now.sentByRelay < last.sentByRelay || now.consumed < last.consumed;
    if (wasRestarted) this.before.set(process, sum(this.before.get(process) ?? NONE, last));
    this.last.set(process, now);
  }

  of(processes: readonly string[]): Counters {
    const all = processes.flatMap((process) => [this.last.get(process) ?? NONE, this.before.get(process) ?? NONE]);
    return all.reduce(sum, NONE);
  }
}

const sum = (a: Counters, b: Counters): Counters => ({
  sentByFastPath: a.sentByFastPath + b.sentByFastPath,
  sentByRelay: a.sentByRelay + b.sentByRelay,
  consumed: a.consumed + b.consumed,
});
