import type { z } from 'zod';

import { MessageTableError } from '../errors.js';

export interface Setting<T> {
  /** Parses the text of the environment variable. */
  readonly type: z.ZodType<T, string>;
  readonly unit?: string;
  /** As one would write it in the environment; none means that the variable must be given. */
  readonly fallback?: string;
  /** What it is, and what moving it costs. */
  readonly help: string;
}

export type SettingTable = Readonly<Record<string, Setting<unknown>>>;
export type Values<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer T> ? T : never;
};

/** A rule between settings: the problem in words, or null. */
export type Rule<Table extends SettingTable> = (values: Values<Table>) => string | null;

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads all settings at once.
 *
 * @throws MessageTableError `SETTINGS_INVALID` that names every problem, not only the first
 */
export function readSettings<Table extends SettingTable>(
  table: Table,
  rules: readonly Rule<Table>[],
  environment: Environment,
): Values<Table> {
  const values: Record<string, unknown> = {};
  const problems: string[] = [];
  for (const [name, setting] of Object.entries(table)) {
    const text = name.endsWith('*') ? familyOf(environment, name) : (environment[name] ?? setting.fallback);
    if (text === undefined) {
      problems.push(`${name} must be given: ${setting.help}`);
      continue;
    }
    const parsed = setting.type.safeParse(text);
    if (parsed.success) values[name] = parsed.data;
    else problems.push(`${name}: ${parsed.error.issues.map(({ message }) => message).join(', ')}`);
  }
  // Rules compare values with one another, so they make sense only when all could be read.
  if (problems.length === 0) problems.push(...rules.flatMap((rule) => rule(values as Values<Table>) ?? []));
  if (problems.length > 0) {
    throw new MessageTableError('SETTINGS_INVALID', `These settings cannot work:\n- ${problems.join('\n- ')}`);
  }
  return Object.freeze(values) as Values<Table>;
}

/** `SECRET_*` is every variable whose name begins so, as JSON. */
function familyOf(environment: Environment, pattern: string): string {
  const members = Object.entries(environment).filter(([name]) => name.startsWith(pattern.slice(0, -1)));
  return JSON.stringify(Object.fromEntries(members));
}

/** The same setting for a process that cannot do without. */
export const required = <T>({ type, help }: Setting<T>): Setting<T> => ({
  type: type.refine((value) => value !== '', 'must be given'),
  help,
});

/** The table that `--help` prints. */
export function describeSettings(table: SettingTable): string {
  const rows = Object.entries(table).map(([name, { unit = '', fallback, help }]) => [
    name,
    fallback === undefined ? '(required)' : fallback === '' ? '(none)' : `${fallback} ${unit}`.trim(),
    help,
  ]);
  const width = (column: number): number => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const widths = [width(0), width(1)];
  return rows
    .map(
      ([name = '', value = '', help = '']) =>
        `  ${name.padEnd(widths[0] ?? 0)}  ${value.padEnd(widths[1] ?? 0)}  ${help}`,
    )
    .join('\n');
}
