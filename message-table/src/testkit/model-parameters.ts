/** How long and from which seed a property is looked at: MODEL_RUNS and MODEL_SEED repeat what a failure printed. */
export function modelParameters(): { numRuns: number; seed?: number } {
  const { MODEL_RUNS: runs = '60', MODEL_SEED: seed } = process.env;
  return { numRuns: Number(runs), ...(seed === undefined ? {} : { seed: Number(seed) }) };
}
