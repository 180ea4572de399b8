import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runNode } from './run-node.mjs';
import { withVerdict } from './verdict.mjs';
import { withScratchFile } from './with-scratch-file.mjs';

/** The `*.test.mjs` of a folder, run by Node's own test runner: it needs nothing installed and knows modules. */
export function nodeStage(name, { folder, minutes }) {
  return {
    name,
    run: () =>
      withScratchFile(async (file) => {
        const exitedWell = await runNode([...REPORTERS, file, ...testsIn(folder)], { minutes });
        if (!existsSync(file)) throw new Error("Node's test runner ended without a result");
        return withVerdict(tallyOf(readFileSync(file, 'utf8')), { exitedWell, mayBeEmpty: false });
      }),
  };
}

const REPORTERS = [
  '--test',
  '--test-reporter=spec',
  '--test-reporter-destination=stdout',
  '--test-reporter=tap',
  '--test-reporter-destination',
];

function testsIn(folder) {
  const tests = readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.test.mjs'));
  // Without a file, Node would go and look for tests everywhere.
  if (tests.length === 0) throw new Error(`${folder} holds no *.test.mjs`);
  return tests.sort().map((file) => join(folder, file));
}

/** Reads the closing lines of TAP: `# pass 3`, `# fail 1`, `# cancelled 0`, `# skipped 0`. */
export function tallyOf(tap) {
  const count = (what) => Number(tap.match(new RegExp(`^# ${what} (\\d+)$`, 'm'))?.[1] ?? NaN);
  const tally = {
    passed: count('pass'),
    failed: count('fail') + count('cancelled'),
    skipped: count('skipped') + count('todo'),
  };
  if (Object.values(tally).some(Number.isNaN)) throw new Error('the test runner left no counts');
  return tally;
}
