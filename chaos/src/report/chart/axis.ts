export interface Axis {
  readonly ticks: readonly number[];
  /** Where a value stands between the foot (0) and the top (1). */
  fraction(value: number): number;
}

export type Scale = 'linear' | 'log';

/** An axis that begins at nothing and holds all of the values. */
export function axisFor(scale: Scale, highest: number): Axis {
  return scale === 'linear' ? linear(highest) : logarithmic(highest);
}

/** In whole numbers: messages, answers and seconds. */
export function linear(highest: number, wantedTicks = 4): Axis {
  const step = Math.max(1, niceStep(Math.max(1, highest) / wantedTicks));
  const steps = Math.max(1, Math.ceil(highest / step));
  const ticks = Array.from({ length: steps + 1 }, (_, index) => index * step);
  return { ticks, fraction: (value) => value / (steps * step) };
}

/** From 1 up by powers of ten; what is below 1 lies on the foot. */
function logarithmic(highest: number): Axis {
  const decades = Math.max(1, Math.ceil(Math.log10(Math.max(1, highest))));
  const ticks = Array.from({ length: decades + 1 }, (_, power) => 10 ** power);
  return { ticks, fraction: (value) => Math.log10(Math.max(1, value)) / decades };
}

function niceStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
}
