import { stripVTControlCharacters } from 'node:util';

import { createColors } from 'picocolors';

export type Paint = Readonly<Record<'bold' | 'dim' | 'green' | 'red' | 'yellow', (text: string) => string>>;

export const createPaint = (colour: boolean): Paint => {
  const { bold, dim, green, red, yellow } = createColors(colour);
  return { bold, dim, green, red, yellow };
};

const lengthOf = (text: string): number => stripVTControlCharacters(text).length;

/** A line that is too long loses its colours and its end: a line that wraps would spoil what is drawn in place. */
export function fit(line: string, width: number): string {
  return lengthOf(line) <= width ? line : `${stripVTControlCharacters(line).slice(0, width - 1)}…`;
}

/** Breaks at blanks. */
export const wrap = (text: string, width: number): string[] => flow(text.split(' '), ' ', width);

/** As many pieces on a line as fit; a piece is never broken, and its colours do not count. */
export function flow(pieces: readonly string[], between: string, width: number): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    if (last === undefined || lengthOf(last) + between.length + lengthOf(piece) > width) lines.push(piece);
    else lines[lines.length - 1] = `${last}${between}${piece}`;
  }
  return lines;
}
