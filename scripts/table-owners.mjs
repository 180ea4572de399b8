// Fails when SQL on a message table stands outside the store of that table.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strayTableUses } from './check/table-owners.mjs';

const root = dirname(import.meta.dirname);
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const sources = workspaces.flatMap((workspace) =>
  readdirSync(join(root, workspace), { recursive: true })
    .filter((file) => /\.(ts|tsx|mjs|cjs|js|sql)$/.test(file) && !/(^|\/)(node_modules|dist)\//.test(file))
    .map((file) => join(workspace, file)),
);

const found = sources.flatMap((path) =>
  strayTableUses(path, readFileSync(join(root, path), 'utf8')).map(({ line, text }) => `${path}:${line}: ${text}`),
);
if (found.length > 0)
  console.error(`SQL on a message table belongs into the store of that table:\n${found.join('\n')}`);
process.exitCode = found.length > 0 ? 1 : 0;
