// The names of all tests, which are promises: `it('RLY-01: when …, then … [PENDING→SENDING claimed]', …)`.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const SKIPPED = new Set(['node_modules', 'dist', 'runs', 'coverage', '.git']);
const NAME = /(['"`])((?:[A-Z]+-\d+[a-z]?(?:, [A-Z]+-\d+[a-z]?)*: )?when (?:\\.|(?!\1)[^\\\n])*)\1/g;

function testFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : testFiles(path);
    return entry.name.endsWith('.test.ts') ? [path] : [];
  });
}

/** @returns {{ name: string, file: string, line: number }[]} */
export function testNames(root) {
  return testFiles(root).flatMap((path) =>
    namesIn(readFileSync(path, 'utf8')).map((one) => ({ ...one, file: relative(root, path) })),
  );
}

/** @returns {{ name: string, line: number }[]} */
export function namesIn(text) {
  return [...text.matchAll(NAME)].map((match) => ({
    name: match[2].replace(/\\(.)/g, '$1'),
    line: text.slice(0, match.index).split('\n').length,
  }));
}

export const caseIdsOf = (name) => name.match(/^((?:[A-Z]+-\d+[a-z]?(?:, )?)+): /)?.[1].split(', ') ?? [];

/** The arrows that a name claims: `[SENDING→PENDING refused]`. */
export const arrowsOf = (name) => [...name.matchAll(/\[([A-Za-z_]+→[A-Z_]+ [^\]]+)\]/g)].map((match) => match[1]);
