import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip, gunzipSync } from 'node:zlib';

import type { Books, RunFacts } from './facts.js';
import type { HistoryRecord } from './history.js';
import { linesIn } from './lines-in.js';
import type { Plan } from './plan.js';

/** What a report is made from. */
export interface KeptRun {
  readonly facts: RunFacts;
  readonly notes: readonly string[];
}

const FACTS_FILE = 'facts.jsonl.gz';
const ROWS_PER_LINE = 2_000;

/** A part of the facts, as one or more lines: lists are cut, so that no line is larger than a string may be. */
interface Line {
  readonly part: string;
  readonly value: unknown;
}

/**
 * Keeps what was found beside plan.json and history.jsonl, so that a run can be judged and its report made again.
 * History is not written twice; what the load asked for follows from the plan.
 */
export async function writeFacts(folder: string, { facts, notes }: KeptRun): Promise<void> {
  await pipeline(
    Readable.from(linesOf(partsOf(facts, notes))),
    createGzip({ level: constants.Z_BEST_SPEED }),
    createWriteStream(join(folder, FACTS_FILE)),
  );
}

/** Facts that are kept here, beside the books: a record of all of them, so that a new one cannot be forgotten. */
const FACTS: Readonly<Record<Exclude<keyof RunFacts, 'plan' | 'history' | 'asked' | 'books'>, true>> = {
  ...{ load: true, end: true, reconciliation: true, byHand: true, samples: true, logs: true },
};

const isFact = ([part]: readonly [string, unknown]): boolean => part in FACTS;

const partsOf = (facts: RunFacts, notes: readonly string[]): Record<string, unknown> => ({
  ...facts.books,
  ...Object.fromEntries(Object.entries(facts).filter(isFact)),
  notes,
});

function* linesOf(parts: Readonly<Record<string, unknown>>) {
  for (const [part, value] of Object.entries(parts)) {
    for (const piece of piecesOf(value)) yield `${JSON.stringify({ part, value: piece }, asText)}\n`;
  }
}

function* piecesOf(value: unknown): Generator {
  const list = value instanceof Map ? [...(value as Map<unknown, unknown>)] : value;
  if (!Array.isArray(list)) yield list;
  else for (let at = 0; at === 0 || at < list.length; at += ROWS_PER_LINE) yield list.slice(at, at + ROWS_PER_LINE);
}

/** Stock is larger than JSON's numbers. */
const asText = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' ? { bigint: String(value) } : value;

const fromText = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && 'bigint' in value ? BigInt(String(value.bigint)) : value;

/**
 * @param folder of a run, under runs/
 * @throws Error when the run did not come to its end, or is from before facts were kept
 */
export async function readFacts(folder: string): Promise<KeptRun> {
  const { notes, ...parts } = await readParts(join(folder, FACTS_FILE));
  const plan = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8')) as Plan;
  const history = await readHistory(join(folder, 'history.jsonl'));
  const facts = Object.fromEntries(Object.entries(parts).filter(isFact));
  const books = Object.fromEntries(Object.entries(parts).filter((part) => !isFact(part)));
  for (const name of Object.keys(MAPS)) {
    if (books[name] !== null) books[name] = new Map(books[name] as [unknown, unknown][]);
  }
  return { facts: { ...facts, plan, history, books } as unknown as RunFacts, notes: notes as string[] };
}

/** What is no list in the books is a map. */
type MapName = {
  [Name in keyof Books]: NonNullable<Books[Name]> extends readonly unknown[] ? never : Name;
}[keyof Books];

const MAPS: Readonly<Record<MapName, true>> = { startStock: true, endStock: true, tap: true, decisionTap: true };

async function readParts(file: string): Promise<Record<string, unknown>> {
  const parts: Record<string, unknown> = {};
  for (const text of linesIn(gunzipSync(await readFile(file)))) {
    const { part, value } = JSON.parse(text, fromText) as Line;
    const before = parts[part];
    if (Array.isArray(before) && Array.isArray(value)) for (const row of value as unknown[]) before.push(row);
    else parts[part] = value;
  }
  return parts;
}

async function readHistory(file: string): Promise<HistoryRecord[]> {
  return [...linesIn(await readFile(file))].map((text) => JSON.parse(text) as HistoryRecord);
}
