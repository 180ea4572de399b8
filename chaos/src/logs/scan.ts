import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import type { LogFinding } from '../facts.js';
import { FORBIDDEN, secretPattern } from './forbidden-lines.js';

export interface LogToScan {
  /** Name of the process. */
  readonly process: string;
  readonly file: string;
}

/** The same trouble a thousand times is one trouble. */
const FINDINGS_PER_PROCESS = 20;
const LINE_LENGTH = 500;

/**
 * Reads the logs of all processes, restarts included, line by line.
 *
 * @param secrets the passwords of the stack and whatever else must not be told
 * @throws when a log cannot be read: then `logs` belongs to what is unread
 */
export async function scanLogs(logs: readonly LogToScan[], secrets: readonly string[]): Promise<LogFinding[]> {
  const findings: LogFinding[] = [];
  for (const log of logs) findings.push(...(await scanLog(log, secrets)));
  return findings;
}

async function scanLog({ process, file }: LogToScan, secrets: readonly string[]): Promise<LogFinding[]> {
  const patterns = [
    ...FORBIDDEN,
    ...secrets.map((secret) => ({ why: 'secret' as const, says: secretPattern(secret) })),
  ];
  const findings: LogFinding[] = [];
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
    const found = patterns.find(({ says }) => says.test(line));
    if (found === undefined) continue;
    findings.push({ process, why: found.why, line: struckOut(line, secrets) });
    if (findings.length >= FINDINGS_PER_PROCESS) break;
  }
  return findings;
}

/** What is wrong must not be repeated in the report. */
function struckOut(line: string, secrets: readonly string[]): string {
  const urls = line.replace(/(:\/\/[^\s:/@"']*:)[^\s/@"']+@/g, '$1***@');
  return secrets.reduce((text, secret) => text.replaceAll(secret, '***'), urls).slice(0, LINE_LENGTH);
}
