import { markup, type Markup, type Part } from '../markup.js';

/** A cell; a text alone is one without a class. */
export type Cell = string | { readonly className: string; readonly text: Part };

export const short = (text: Part): Cell => ({ className: 'short', text });

const cellOf = (cell: Cell): Markup =>
  typeof cell === 'string' ? markup`<td>${cell}</td>` : markup`<td class="${cell.className}">${cell.text}</td>`;

export function table(head: readonly string[], rows: readonly (readonly Cell[])[], className = ''): Markup {
  const heads = head.map((name) => markup`<th scope="col">${name}</th>`);
  return markup`<div class="wide"><table class="${className}">${head.length === 0 ? null : markup`<thead><tr>${heads}</tr></thead>`}<tbody>
${rows.map((cells) => markup`<tr>${cells.map(cellOf)}</tr>\n`)}</tbody></table></div>
`;
}
