const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** A timer that takes any number of milliseconds; what is more than 24 days comes after 24 days. */
export const after = (ms: number, act: () => void): NodeJS.Timeout =>
  setTimeout(act, Math.min(Math.ceil(ms), LONGEST_TIMER_MS));
