/** The counts as far as they can be believed: a bad exit without a failed test, or no test at all, is a failure. */
export function withVerdict(tally, { exitedWell, mayBeEmpty }) {
  if (tally.failed > 0) return tally;
  const ranNothing = tally.passed === 0 && !mayBeEmpty;
  return exitedWell && !ranNothing ? tally : { ...tally, failed: 1 };
}
