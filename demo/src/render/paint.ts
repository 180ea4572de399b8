import { stripVTControlCharacters } from 'node:util';

import { createColors } from 'picocolors';

export type Paint = Readonly<Record<'bold' | 'dim' | 'green' | 'red' | 'yellow', (text: string) => string>>;

export const createPaint = (colour: boolean): Paint => {
  const { bold, dim, green, red, yellow } = createColors(colour);
  return { bold, dim, green, red, yellow };
};

/** A line that is too long loses its colours and its end: a line that wraps would spoil what is drawn in place. */
export function fit(line: string, width: number): string {
  const plain = stripVTControlCharacters(line);
  return plain.length <= width ? line : `${plain.slice(0, width - 1)}…`;
}

/** Breaks at blanks. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
