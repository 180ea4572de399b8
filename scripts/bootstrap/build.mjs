import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { withProgress } from './progress.mjs';
import { runQuietly } from './run-quietly.mjs';
import { SetUpError } from './set-up-error.mjs';

const stampFile = (root) => join(root, 'node_modules', '.cache', 'counterfoil', 'built');

export function needsBuild(root) {
  return (
    !existsSync(stampFile(root)) || readFileSync(stampFile(root), 'utf8') !== stampOf(root) || hasMissingOutput(root)
  );
}

export async function build(root, onStart) {
  // Taken before: a file saved while tsc works must be built again.
  const stamp = stampOf(root);
  // tsc trusts its .tsbuildinfo and does not look whether the output is still there.
  const force = hasMissingOutput(root) ? ['--force'] : [];
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  await withProgress('Building (tsc -b)', async () => {
    const { code, output } = await runQuietly(process.execPath, [tsc, '-b', ...force], { cwd: root, onStart });
    if (code !== 0) throw new SetUpError(`The build failed:\n\n${output.trim()}`);
  });
  mkdirSync(dirname(stampFile(root)), { recursive: true });
  writeFileSync(stampFile(root), stamp);
}

function stampOf(root) {
  const configs = ['tsconfig.base.json', 'tsconfig.json', 'node_modules/.package-lock.json'];
  const own = workspacesOf(root).flatMap((folder) => [`${folder}/tsconfig.json`, `${folder}/package.json`]);
  const files = [...configs, ...own].map((file) => join(root, file)).filter((file) => existsSync(file));
  return [...files, ...sourcesOf(root)]
    .map((file) => lineOf(root, file))
    .sort()
    .join('\n');
}

function lineOf(root, file) {
  const { mtimeMs, size } = statSync(file);
  return `${relative(root, file)} ${mtimeMs} ${size}`;
}

function hasMissingOutput(root) {
  return workspacesOf(root).some((folder) => {
    const sources = sourcesIn(join(root, folder, 'src')).filter(
      (file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'),
    );
    const outputOf = (file) =>
      join(root, folder, 'dist', relative(join(root, folder, 'src'), file).replace(/\.tsx?$/, '.js'));
    return sources.some((file) => !existsSync(outputOf(file)));
  });
}

const sourcesOf = (root) => workspacesOf(root).flatMap((folder) => sourcesIn(join(root, folder, 'src')));

/** The workspaces that tsc builds: those that the root's tsconfig refers to. */
function workspacesOf(root) {
  return JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')).references.map((reference) => reference.path);
}

function sourcesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
