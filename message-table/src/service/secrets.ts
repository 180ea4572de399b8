import { readFileSync } from 'node:fs';

import { z } from 'zod';

/** The value of a secret by its name; undefined when there is none. Never throws. */
export type Secrets = (name: string) => string | undefined;

/**
 * `SECRET_<NAME>` is the value, or `SECRET_<NAME>_FILE` a file that holds it. A file is read each time it is asked for,
 * so that a secret can be replaced while the process runs; one line end at its end is not part of the secret. No name ends
 * in `_FILE`.
 */
export function secretsFrom(variables: Readonly<Record<string, string>>): Secrets {
  return (name) => {
    // SECRET_HOOK_FILE is where HOOK is, and no secret that could be sent anywhere.
    if (name.endsWith('_FILE')) return undefined;
    const file = variables[`SECRET_${name}_FILE`];
    return variables[`SECRET_${name}`] ?? (file === undefined ? undefined : contentOf(file));
  };
}

function contentOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  } catch {
    return undefined; // whoever needs it says so by its name
  }
}

/** A function, so that settings can be written to a log without what it knows. */
export const secrets: z.ZodType<Secrets, string> = z
  .string()
  .transform((json) => secretsFrom(JSON.parse(json) as Record<string, string>));
