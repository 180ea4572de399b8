// What `npm test` runs once everything is set up. `--int` leaves only the integration tests; all other arguments
// go to Jest, and then only Jest's stages run. `--stack containers` takes the servers from images, and tests that as well.
import { chaosStage } from './test/chaos-stage.mjs';
import { commandStage } from './test/command-stage.mjs';
import { jestStage } from './test/jest-stage.mjs';
import { nodeStage } from './test/node-stage.mjs';
import { takeStack } from './bootstrap/stack-flag.mjs';
import { runStages } from './test/run-stages.mjs';

const { stack, rest: args } = takeStack(process.argv.slice(2));
const jestArgs = args.filter((arg) => arg !== '--int');
// Read by scripts/jest/int-setup.cjs.
if (stack !== undefined) process.env.STACK_BACKEND = stack;

const INT = [
  jestStage('int', { jestArgs, workers: process.env.INT_WORKERS ?? '2', minutes: 30 }),
  jestStage('int-alone', { jestArgs, workers: '1', minutes: 10 }),
];
const CONTAINERS = jestStage('containers', { jestArgs, workers: '1', minutes: 20 });
const UNIT = jestStage('unit', { jestArgs, workers: '100%', minutes: 10 });

const ALL = [
  commandStage('check', { script: 'scripts/check.mjs', minutes: 10 }),
  nodeStage('scripts', { folder: 'scripts', minutes: 5 }),
  UNIT,
  ...INT,
  ...(stack === 'containers' ? [CONTAINERS] : []),
  chaosStage('chaos', {
    scenarios: ['baseline', 'relay-kill', 'order-service-kill', 'inventory-kill', 'broker-kill', 'backlog-scale-out'],
    args: [
      ...['--rate', '300', '--seconds', '12', '--warm-up', '3', '--again', '1'],
      ...(stack === undefined ? [] : ['--stack', stack]),
    ],
    minutes: stack === 'containers' ? 16 : 10,
  }),
  // The harness must see what it is there for: two planted bugs, each caught by the invariant that is named for it.
  commandStage('prove', {
    script: 'chaos/dist/prove/main.js',
    args: ['--no-honest', '--jobs', '1', '--only', 'no-inbox', '--only', 'unfenced-settle'],
    minutes: 5,
  }),
];

function chosen() {
  if (args.includes('--int')) return INT;
  if (jestArgs.length === 0) return ALL;
  return stack === 'containers' ? [UNIT, ...INT, CONTAINERS] : [UNIT, ...INT];
}

process.exitCode = await runStages(chosen());
