import { MessageTableError } from '../errors.js';

type AnyMethod = (...args: never) => unknown;

/** Picks the command out of a method's arguments, as they are after the call. */
export type FindArgument = (...args: readonly unknown[]) => unknown;

/**
 * From a path such as `request.command`: a parameter's name, and properties from there on.
 *
 * JavaScript keeps a parameter's name only in the method's source, so it is looked up there, once, when the class is
 * defined: a minifier that renames parameters shows when the process starts, not at the first order.
 *
 * @throws MessageTableError `ARGUMENT_UNKNOWN` when the method has no such parameter
 */
export function findByPath(path: string, method: AnyMethod): FindArgument {
  const [parameter = '', ...properties] = path.split('.');
  const names = parameterNames(method);
  const index = names.indexOf(parameter);
  if (index < 0) {
    const text = `'${path}' begins with '${parameter}', but the parameters of ${method.name} are (${names.join(', ')})`;
    throw new MessageTableError(
      'ARGUMENT_UNKNOWN',
      `${text}; where names are changed by a minifier, give a function: (request) => request.command`,
    );
  }
  return (...args) => properties.reduce(propertyOf, args[index]);
}

const propertyOf = (value: unknown, name: string): unknown =>
  (value as Record<string, unknown> | null | undefined)?.[name];

const COMMENT = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
const NAME = /\s*([\p{ID_Start}$_][\p{ID_Continue}$]*)\s*([,=)])/uy;

/**
 * The names at the head of a parameter list, in order. It ends with the first that has a default value, and before the
 * first that is taken apart or gathers the rest: what comes after it would take a parser to find.
 */
export function parameterNames(method: AnyMethod): string[] {
  const source = Function.prototype.toString.call(method).replace(COMMENT, '');
  const names: string[] = [];
  NAME.lastIndex = source.indexOf('(') + 1;
  for (let found = NAME.exec(source); found !== null; found = found[2] === ',' ? NAME.exec(source) : null) {
    names.push(found[1] as string);
  }
  return names;
}
