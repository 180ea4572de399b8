/** The time since `startedMs` of `performance.now()`, for people. */
export function seconds(startedMs) {
  return `${((performance.now() - startedMs) / 1000).toFixed(1)} s`;
}
