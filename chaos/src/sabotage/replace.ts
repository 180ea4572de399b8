import { basename, dirname, join } from 'node:path';

/** `message-table/producer/store/settle`: a workspace and a module of it, without its ending. */
export type ModulePath = `${'message-table' | 'contracts' | 'order-service' | 'inventory-service'}/${string}`;

type AnyFunction = (...args: never[]) => unknown;

/** `dist`, where this is run; `src` where tests look whether what is replaced is there. */
const ROOT = basename(dirname(__dirname));

/** The module that the processes of ours run; its exports can be replaced, and its callers call through them. */
export function built(path: ModulePath): Record<string, unknown> {
  const slash = path.indexOf('/');
  const workspace = path.slice(0, slash);
  // First as everybody loads it, by its index: modules that import one another in a ring depend on the order.
  if (workspace === 'message-table') require('@counterfoil/message-table');
  const folder = dirname(require.resolve(`@counterfoil/${workspace}/package.json`));
  return require(join(folder, ROOT, path.slice(slash + 1))) as Record<string, unknown>;
}

/**
 * Puts another function in the place of an export.
 *
 * @throws Error when the module has no such function any more: the sabotage would sabotage nothing
 */
export function replace<F extends AnyFunction>(path: ModulePath, name: string, make: (original: F) => F): void {
  const holder = built(path);
  replaceIn(holder, name, path, make);
}

/** As {@link replace}, for a method of an exported class. */
export function replaceMethod<F extends AnyFunction>(
  path: ModulePath,
  [type, method]: readonly [string, string],
  make: (original: F) => F,
): void {
  const holder = built(path)[type];
  if (typeof holder !== 'function') throw new Error(`There is no class ${type} in ${path}`);
  replaceIn(holder.prototype as Record<string, unknown>, method, `${path} ${type}`, make);
}

function replaceIn<F extends AnyFunction>(
  holder: Record<string, unknown>,
  name: string,
  where: string,
  make: (original: F) => F,
): void {
  const original = holder[name];
  if (typeof original !== 'function') throw new Error(`There is no ${name} in ${where}`);
  holder[name] = make(original as F);
  if (holder[name] === original) throw new Error(`${name} in ${where} cannot be replaced`);
}

type Bindings = readonly unknown[];
type Run = (runner: unknown, sql: string, bindings?: Bindings) => Promise<unknown>;

export interface Rewriting {
  /** All of these stand in the statement that is meant. */
  readonly having: readonly string[];
  readonly find: string;
  readonly put: string;
  readonly bindings?: (given: Bindings) => Bindings;
}

/** Every statement that has all of `having` is sent with `find` replaced: such as without its fence. */
export function rewriteSql({ having, find, put, bindings = (given) => given }: Rewriting): void {
  for (const name of ['changeRows', 'selectRows']) {
    replace('message-table/database/rows', name, (original: Run): Run => (runner, sql, given = []) => {
      if (![...having, find].every((text) => sql.includes(text))) return original(runner, sql, given);
      return original(runner, sql.replace(find, put), bindings(given));
    });
  }
}

export const withoutLast = (bindings: Bindings): Bindings => bindings.slice(0, -1);
