// Keeps the documents in step with the code: fills each fenced block under `<!-- include: path#region -->` from
// its file, and looks whether what relative links point to is there. With --check it changes nothing and fails.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { brokenLinks } from './docs/links.mjs';
import { format, resolveConfig } from 'prettier';
import { regenerated } from './docs/generated.mjs';
import { filled } from './docs/snippets.mjs';

const root = dirname(import.meta.dirname);
const SKIPPED = new Set(['node_modules', 'dist', 'runs', 'coverage', '.git']);

function documentsIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (SKIPPED.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return documentsIn(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}

async function syncFile(file, { check }) {
  const at = (path) => resolve(dirname(file), path);
  const textOf = (path) =>
    existsSync(at(path)) ? (path.endsWith('.md') ? readFileSync(at(path), 'utf8') : '') : undefined;
  const before = readFileSync(file, 'utf8');
  const made = regenerated(filled(before, (path) => readFileSync(at(path), 'utf8')));
  const after = made === before ? before : await format(made, { ...(await resolveConfig(file)), filepath: file });
  if (after !== before && !check) writeFileSync(file, after);
  const stale = after !== before && check ? ['differs from the code that it shows: npm run build && npm run docs'] : [];
  return [...stale, ...brokenLinks(after, textOf).map((link) => `links to ${link}, which is not there`)];
}

async function problemsOf(file, options) {
  try {
    return await syncFile(file, options);
  } catch (error) {
    return [error.message];
  }
}

const check = process.argv.includes('--check');
const problems = [];
for (const file of documentsIn(root)) {
  for (const problem of await problemsOf(file, { check })) problems.push(`${relative(root, file)}: ${problem}`);
}
if (problems.length > 0) console.error(problems.join('\n'));
process.exitCode = problems.length > 0 ? 1 : 0;
