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
export async function scanLogs(logs: readonly LogToScan[], secrets: readonly string[] = []): Promise<LogFinding[]> {
  const findings: LogFinding[] = [];
  for (const { process, file } of logs) {
    const scan = new LogScan(process, secrets);
    for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Infinity })) {
      scan.look(line);
      if (scan.isFull) break;
    }
    findings.push(...scan.findings);
  }
  return findings;
}

/** The same for a log that is in memory. */
export function scanLog(process: string, text: string, secrets: readonly string[] = []): LogFinding[] {
  const scan = new LogScan(process, secrets);
  for (const line of text.split('\n')) if (!scan.isFull) scan.look(line);
  return scan.findings;
}

class LogScan {
  readonly findings: LogFinding[] = [];
  private readonly patterns: typeof FORBIDDEN;

  constructor(
    private readonly process: string,
    private readonly secrets: readonly string[],
  ) {
    this.patterns = [
      ...FORBIDDEN,
      ...secrets.map((secret) => ({ why: 'secret' as const, says: secretPattern(secret) })),
    ];
  }

  get isFull(): boolean {
    return this.findings.length >= FINDINGS_PER_PROCESS;
  }

  look(line: string): void {
    const found = this.patterns.find(({ says }) => says.test(line));
    if (found === undefined) return;
    this.findings.push({ process: this.process, why: found.why, line: this.struckOut(line) });
  }

  /** What is wrong must not be repeated in the report. */
  private struckOut(line: string): string {
    const urls = line.replace(/(:\/\/[^\s:/@"']*:)[^\s/@"']+@/g, '$1***@');
    return this.secrets.reduce((text, secret) => text.replaceAll(secret, '***'), urls).slice(0, LINE_LENGTH);
  }
}
