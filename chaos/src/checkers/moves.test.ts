import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { MOVES, type Move } from './moves.js';

const ARROWS = readFileSync(join(__dirname, '..', '..', '..', 'message-table', 'src', 'arrows.ts'), 'utf8');
const ACTIONS: Readonly<Record<string, string>> = { retried: 'retry', replayed: 'replay', given: 'give-up' };

/** Each pair of states in the component's own table, with the action where a person does it. */
function arrowsOf(table: 'PRODUCER_ARROWS' | 'CONSUMER_ARROWS'): string[] {
  const [, text = ''] = new RegExp(`${table}[^=]*= \\[([\\s\\S]*?)\\n\\];`).exec(ARROWS) ?? [];
  const arrows = [...text.matchAll(/from: '(\w+)',\s*to: '(\w+)',\s*why: ['"](\w+)([^'"]*)/g)];
  const pairs = arrows.map(([, from, to, first = '', rest = '']) => {
    const action = rest.endsWith('by a person') ? (ACTIONS[first] ?? '?') : '';
    return `${from ?? ''}→${to ?? ''} ${action}`;
  });
  return [...new Set(pairs)].filter((pair) => !pair.startsWith('new→')).sort();
}

const textOf = ({ from, to, action }: Move): string => `${from}→${to} ${action ?? ''}`;

describe('the moves that a row may make', () => {
  it('when the component has an arrow, then the harness allows it, and no other', () => {
    expect(MOVES.producer_message.map(textOf).sort()).toEqual(arrowsOf('PRODUCER_ARROWS'));
    expect(MOVES.consumer_message.map(textOf).sort()).toEqual(arrowsOf('CONSUMER_ARROWS'));
  });
});
