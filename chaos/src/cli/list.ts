import { SCENARIOS } from '../scenarios/all.js';
import { seeded } from '../scenarios/random.js';
import { makePlan } from '../scenarios/scenario.js';

const ANY = { rate: 1_000, seconds: 30, warmUpSeconds: 10, seed: 0, sabotage: null };

/** A line for each scenario: its name, whether CI runs it, its story, and what it needs. */
export const listLines = (): string[] =>
  SCENARIOS.map((scenario) => {
    const { onlyIn } = makePlan(scenario, ANY, seeded(ANY.seed)).world;
    const needs = onlyIn === undefined ? '' : ` (only with --stack ${onlyIn})`;
    return `${scenario.name.padEnd(20)} ${scenario.inCi ? 'CI ' : '   '} ${scenario.story}${needs}`;
  });
