import { writeFile } from 'node:fs/promises';

import { unjudgedJson } from '../verdict-file.js';
import { EXIT_CODES, unjudged, type Verdict } from '../verdict.js';
import type { Printer, Told } from './run-scenario.js';

type Ended = Pick<Told, 'verdict' | 'json'>;

/**
 * Does the work, and keeps in `jsonFile` what the exit code says: of several runs the worst; before the end, and where
 * the work breaks, that it cannot be told.
 *
 * @param jsonFile null: nobody wants it
 * @returns the exit code; a file that can no longer be written in the end does not change it
 * @throws Error when the file cannot be written, before anything is done; whatever the work throws
 */
export async function endWithWorst(
  jsonFile: string | null,
  print: Pick<Printer, 'say'>,
  work: () => Promise<readonly Ended[]>,
): Promise<number> {
  const write = async (json: string): Promise<void> => (jsonFile === null ? undefined : writeFile(jsonFile, json));
  await write(unjudgedJson(unjudged('it has not come to its end'), null)).catch((error: unknown) => {
    throw new Error(`--json cannot be written: ${String(error)}`, { cause: error });
  });
  const { verdict, json } = worst(await work());
  await write(json).catch((error: unknown) => {
    print.say(`the verdict could not be written to ${String(jsonFile)}: ${String(error)}`);
  });
  return EXIT_CODES[verdict];
}

/** invalid beats unknown beats valid; nothing that could break is valid. */
function worst(ended: readonly Ended[]): Ended {
  const first = (wanted: Verdict['verdict']): Ended | undefined => ended.find(({ verdict }) => verdict === wanted);
  return first('invalid') ?? first('unknown') ?? first('valid') ?? NOTHING;
}

const NOTHING: Ended = { verdict: 'valid', json: unjudgedJson({ ...unjudged(), verdict: 'valid' }, null) };
