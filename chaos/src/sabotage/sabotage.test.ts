import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { CHECKERS } from '../checkers/all-checkers.js';
import { scenarioNamed } from '../scenarios/all.js';
import { SABOTAGES, sabotageNamed } from './all.js';
import type * as Replace from './replace.js';

const HELPERS = ['all', 'preloads', 'replace'];

/** What a sabotage asked to replace, instead of replacing it: modules of the tests cannot be changed for all others. */
const asked: { readonly path: string; readonly name: string; readonly type: string | null }[] = [];
const rewritings: Replace.Rewriting[] = [];

jest.mock('./replace', () => {
  const real = jest.requireActual<typeof Replace>('./replace');
  return {
    ...real,
    replace: (path: string, name: string) => asked.push({ path, name, type: null }),
    replaceMethod: (path: string, [type, name]: [string, string]) => asked.push({ path, name, type }),
    rewriteSql: (rewriting: Replace.Rewriting) => rewritings.push(rewriting),
  };
});

const { built } = jest.requireActual<typeof Replace>('./replace');

function isThere({ path, name, type }: (typeof asked)[number]): boolean {
  const holder = built(path as Parameters<typeof built>[0]);
  if (type === null) return typeof holder[name] === 'function';
  const { prototype } = holder[type] as { prototype: Record<string, unknown> };
  return typeof prototype[name] === 'function';
}

const sourceOf = (path: string): string =>
  readFileSync(join(dirname(require.resolve('@counterfoil/message-table/package.json')), 'src', `${path}.ts`), 'utf8');

const SQL = ['producer/store/claim', 'producer/store/settle', 'consumer/store/retry-claim', 'consumer/store/notes'];

describe('the sabotage', () => {
  it('when it is listed, then it has a file of its own, and every file is listed', () => {
    const files = readdirSync(__dirname)
      .filter((file) => /^[a-z-]+\.ts$/.test(file))
      .map((file) => file.replace('.ts', ''));
    expect(SABOTAGES.map(({ name }) => name).sort()).toEqual(files.filter((file) => !HELPERS.includes(file)).sort());
  });

  it.each(SABOTAGES)('$name: when it is to be caught, then by a scenario and invariants that there are', (sabotage) => {
    const { scenario, caughtBy, survives } = sabotage;
    expect(scenarioNamed(scenario).name).toBe(scenario);
    expect(caughtBy.filter((id) => !(id in CHECKERS))).toEqual([]);
    expect(caughtBy.length > 0).toBe(survives === undefined);
    expect(sabotageNamed(sabotage.name)).toBe(sabotage);
    const { notJudged = {} } = scenarioNamed(scenario).plan({ rate: 200, seconds: 10, warmUpSeconds: 1 }, RANDOM);
    expect(caughtBy.filter((id) => id in notJudged)).toEqual([]);
  });

  it.each(SABOTAGES)('$name: when it is loaded, then everything that it replaces is there', ({ name }) => {
    asked.splice(0);
    rewritings.splice(0);
    expect(existsSync(join(__dirname, `${name}.ts`))).toBe(true);
    jest.isolateModules(() => {
      require(`./${name}`);
    });
    expect(asked.length + rewritings.length).toBeGreaterThan(0);
    expect(asked.filter((one) => !isThere(one))).toEqual([]);
    const statements = SQL.map(sourceOf).join('\n').split('`');
    for (const { find } of rewritings) expect(statements.some((text) => text.includes(find))).toBe(true);
  });
});

const RANDOM = { integer: (min: number) => min, pick: <T>([first]: readonly T[]): T => first as T };
