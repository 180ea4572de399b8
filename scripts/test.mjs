// What `npm test` runs once everything is set up. `--int` leaves only the integration tests; all other arguments
// go to Jest, and then only Jest's stages run.
import { commandStage } from './test/command-stage.mjs';
import { jestStage } from './test/jest-stage.mjs';
import { nodeStage } from './test/node-stage.mjs';
import { runStages } from './test/run-stages.mjs';

const args = process.argv.slice(2);
const jestArgs = args.filter((arg) => arg !== '--int');

const INT = jestStage('int', { jestArgs, workers: process.env.INT_WORKERS ?? '1', minutes: 30 });
const UNIT = jestStage('unit', { jestArgs, workers: '100%', minutes: 10 });

const ALL = [
  commandStage('check', { script: 'scripts/check.mjs', minutes: 10 }),
  nodeStage('scripts', { folder: 'scripts', minutes: 5 }),
  UNIT,
  INT,
];

function chosen() {
  if (args.includes('--int')) return [INT];
  return jestArgs.length > 0 ? [UNIT, INT] : ALL;
}

process.exitCode = await runStages(chosen());
