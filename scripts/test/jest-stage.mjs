import { existsSync, readFileSync } from 'node:fs';
import { runNode } from './run-node.mjs';
import { withVerdict } from './verdict.mjs';
import { withScratchFile } from './with-scratch-file.mjs';

const JEST = 'node_modules/jest/bin/jest.js';
const REPORTERS = ['--reporters=default', '--reporters=./scripts/jest/tally-reporter.cjs'];
const SETS_WORKERS = /^(-i|--runInBand|-w|--maxWorkers)\b/;

/** The tests of one project of jest.config.js, or what `jestArgs` choose of them. */
export function jestStage(project, { jestArgs, workers, minutes }) {
  const parallel = jestArgs.some((arg) => SETS_WORKERS.test(arg)) ? [] : [`--maxWorkers=${workers}`];
  // --reporters and --selectProjects take every word after them for their own, so they come last.
  const args = [JEST, ...jestArgs, ...parallel, '--passWithNoTests', ...REPORTERS, '--selectProjects', project];
  const run = (file) => runNode(args, { minutes, env: { TALLY_FILE: file } });
  return {
    name: project,
    run: () =>
      withScratchFile(async (file) => {
        const exitedWell = await run(file);
        if (!existsSync(file)) throw new Error('Jest ended without a result');
        return withVerdict(JSON.parse(readFileSync(file, 'utf8')), { exitedWell, mayBeEmpty: jestArgs.length > 0 });
      }),
  };
}
