// `npm run check`: what a machine can say about a change without running it. All parts run, also after one failed.
import { availableParallelism } from 'node:os';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { runAll } from './check/run-all.mjs';

const root = dirname(import.meta.dirname);
const cache = (tool) => `node_modules/.cache/${tool}/`;

// The cache knows a file's own text only, while a type may have changed in another file: CI looks at everything.
const eslintCache = process.env.CI
  ? []
  : ['--cache', '--cache-strategy', 'content', '--cache-location', cache('eslint')];

// The longest first.
const PARTS = [
  { name: 'lint', args: ['node_modules/eslint/bin/eslint.js', '--max-warnings=0', ...eslintCache, '.'] },
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '-b', '--pretty'] },
  { name: 'k6', args: ['node_modules/typescript/bin/tsc', '-p', 'loadtest/k6', '--pretty'] },
  { name: 'format', args: ['node_modules/prettier/bin/prettier.cjs', '--check', '--log-level=warn', '.'] },
  { name: 'packages', args: ['node_modules/knip/bin/knip.js', '--no-progress', '--no-config-hints'] },
  { name: 'docs', args: ['scripts/docs-sync.mjs', '--check'] },
  { name: 'manifests', args: ['scripts/manifests.mjs'] },
  { name: 'tables', args: ['scripts/table-owners.mjs'] },
];

if (existsSync(`${root}/node_modules/.package-lock.json`)) {
  process.exitCode = await runAll(PARTS, { cwd: root, atOnce: availableParallelism() });
} else {
  console.error('Nothing is installed yet: npm ci');
  process.exitCode = 1;
}
