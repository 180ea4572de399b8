/** Text that may stand in a page as it is. Only {@link markup} and {@link trusted} make it. */
export class Markup {
  constructor(readonly text: string) {}
}

export type Part = Markup | string | number | null | readonly Part[];

/** A piece of HTML, SVG or XML: whatever is put into it is escaped, unless it is markup itself. */
export const markup = (strings: TemplateStringsArray, ...parts: readonly Part[]): Markup =>
  new Markup(String.raw({ raw: strings }, ...parts.map(textOf)));

/** For text that is written in this repository; never for what a run brought up. */
export const trusted = (text: string): Markup => new Markup(text);

function textOf(part: Part): string {
  if (part === null) return '';
  if (part instanceof Markup) return part.text;
  if (typeof part === 'string') return escaped(part);
  return typeof part === 'number' ? String(part) : part.map(textOf).join('');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Logs carry colours and broken bytes, and XML has no way to write these. */
// eslint-disable-next-line no-control-regex -- control characters are what it is about
const UNPRINTABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

const escaped = (text: string): string =>
  text.replace(UNPRINTABLE, '\ufffd').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
