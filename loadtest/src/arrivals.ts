/** The rate changes evenly from the one before to this one, orders a second. */
export interface Stage {
  readonly toRate: number;
  readonly seconds: number;
}

/** When each order is due. */
export interface Arrivals {
  readonly count: number;
  /** After the start of the load, ms. */
  dueMs(index: number): number;
  /** How many are due in the first `seconds`. */
  countBefore(seconds: number): number;
}

export function constantArrivals(rate: number, seconds: number): Arrivals {
  return {
    count: Math.round(rate * seconds),
    dueMs: (index) => (index * 1000) / rate,
    countBefore: (until) => Math.round(rate * until),
  };
}

/**
 * From nothing the rate is reached evenly over the warm-up, then it stays. Processes that have just started still compile what they
 * run: at the full rate from the first second on they fall behind by seconds, and the measured time begins with that.
 */
export function warmedUpArrivals(rate: number, warmUpSeconds: number, seconds: number): Arrivals {
  if (warmUpSeconds === 0) return constantArrivals(rate, seconds);
  const stages = [warmUpSeconds, seconds].map((each) => ({ toRate: rate, seconds: each }));
  return stagedArrivals(
    0,
    stages.filter((stage) => stage.seconds > 0),
  );
}

interface Stretch {
  readonly fromIndex: number;
  readonly fromS: number;
  readonly rate: number;
  readonly slope: number;
  readonly seconds: number;
}

const due = ({ rate, slope }: Stretch, afterS: number): number => rate * afterS + (slope * afterS ** 2) / 2;

/** Over stretches that each speed up or slow down evenly. */
export function stagedArrivals(startRate: number, stages: readonly Stage[]): Arrivals {
  const stretches = stretchesOf(startRate, stages);
  const last = stretches.at(-1);
  const count = last === undefined ? 0 : Math.round(last.fromIndex + due(last, last.seconds));
  const holding = (isBefore: (stretch: Stretch) => boolean): Stretch | undefined =>
    stretches.findLast(isBefore) ?? stretches[0];
  return {
    count,
    dueMs: (index) => {
      const stretch = holding(({ fromIndex }) => fromIndex <= index);
      return stretch === undefined ? 0 : 1000 * (stretch.fromS + secondsUntil(stretch, index - stretch.fromIndex));
    },
    countBefore: (seconds) => {
      const stretch = holding(({ fromS }) => fromS <= seconds);
      if (stretch === undefined) return 0;
      const within = Math.min(seconds - stretch.fromS, stretch.seconds);
      return Math.min(count, Math.round(stretch.fromIndex + due(stretch, within)));
    },
  };
}

function stretchesOf(startRate: number, stages: readonly Stage[]): Stretch[] {
  const stretches: Stretch[] = [];
  let [fromIndex, fromS, rate] = [0, 0, startRate];
  for (const { toRate, seconds } of stages) {
    const stretch = { fromIndex, fromS, rate, slope: (toRate - rate) / seconds, seconds };
    stretches.push(stretch);
    fromIndex += due(stretch, seconds);
    fromS += seconds;
    rate = toRate;
  }
  return stretches;
}

/** Solves rate · t + slope · t² / 2 = orders, in the form that does not cancel when the slope is small. */
function secondsUntil({ rate, slope }: Stretch, orders: number): number {
  if (orders === 0) return 0;
  const root = Math.sqrt(Math.max(0, rate ** 2 + 2 * slope * orders));
  return (2 * orders) / (root + rate);
}
