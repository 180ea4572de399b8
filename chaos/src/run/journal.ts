import { createWriteStream, type WriteStream } from 'node:fs';
import { basename } from 'node:path';
import { finished } from 'node:stream/promises';

import type { HistoryFact, HistoryRecord } from '../history.js';

/** Writes history.jsonl as things happen, buffered by the stream: whoever reports never waits for the disk. */
export class Journal {
  readonly records: HistoryRecord[] = [];
  readonly notes: string[] = [];
  private readonly stream: WriteStream;
  private failure: Error | null = null;
  private closed = false;

  /**
   * @param startedMs zero of the run's clock, on the clock of performance.now()
   * @param onWrite is told of what happens now, and not of what is added afterwards
   */
  constructor(
    private readonly file: string,
    readonly startedMs: number,
    private readonly onWrite: (record: HistoryRecord) => void = () => undefined,
  ) {
    this.stream = createWriteStream(file);
    // With nobody to listen, a full disk would end the process, and the run with it.
    this.stream.on('error', (error) => (this.failure ??= error));
  }

  /** Something that happens now. */
  write(fact: HistoryFact): void {
    this.announce({ atMs: Math.round(performance.now() - this.startedMs), ...fact });
  }

  /** Something that was told late of a time just gone. */
  announce(record: HistoryRecord): void {
    if (this.closed) return;
    this.add(record);
    this.onWrite(record);
  }

  /** Something that happened at another time than now. */
  add(record: HistoryRecord): void {
    // The processes end after the run: what is in the file is what the run is judged by.
    if (this.closed) return;
    this.records.push(record);
    this.stream.write(`${JSON.stringify(record)}\n`);
  }

  /** Something that the reader of the verdict should know. */
  note(text: string): void {
    this.notes.push(text);
  }

  /** Never rejects: a run is judged by the records. @returns what its file lacks, for {@link EndState.unwritten} */
  async close(): Promise<string[]> {
    this.closed = true;
    this.stream.end();
    await finished(this.stream).catch(() => undefined);
    return this.failure === null ? [] : [`${basename(this.file)}: ${this.failure.message}`];
  }
}
