import { createWriteStream, type WriteStream } from 'node:fs';
import { finished } from 'node:stream/promises';

import type { HistoryFact, HistoryRecord } from '../history.js';

/** Writes history.jsonl as things happen, buffered by the stream: whoever reports never waits for the disk. */
export class Journal {
  readonly records: HistoryRecord[] = [];
  readonly notes: string[] = [];
  private readonly stream: WriteStream;
  private isClosed = false;

  /**
   * @param startedMs zero of the run's clock, on the clock of performance.now()
   * @param onWrite is told of what happens now, and not of what is added afterwards
   */
  constructor(
    file: string,
    readonly startedMs: number,
    private readonly onWrite: (record: HistoryRecord) => void = () => undefined,
  ) {
    this.stream = createWriteStream(file);
  }

  /** Something that happens now. What still ends after the journal is closed is no part of the run. */
  write(fact: HistoryFact): void {
    if (this.isClosed) return;
    const record = { atMs: Math.round(performance.now() - this.startedMs), ...fact };
    this.add(record);
    this.onWrite(record);
  }

  /** Something that happened at another time than now. */
  add(record: HistoryRecord): void {
    this.records.push(record);
    this.stream.write(`${JSON.stringify(record)}\n`);
  }

  /** Something that the reader of the verdict should know. */
  note(text: string): void {
    this.notes.push(text);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.stream.end();
    await finished(this.stream);
  }
}
