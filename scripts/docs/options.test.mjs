import assert from 'node:assert/strict';
import { test } from 'node:test';
import { optionsOf, optionTable } from './options.mjs';

const SOURCE = `export interface Options {
  /** Is needed. */
  readonly url: string;
  /**
   * For an answer;
   * see {@link url}.
   */
  readonly deadlineMs?: number;
  /** Is called. */
  read(body: Buffer): void;
}
interface Bare { readonly a: string }`;

test('when an interface has docstrings, then they make a table with defaults and units', () => {
  assert.deepEqual(optionTable(optionsOf(SOURCE, 'Options'), { deadlineMs: 50 }).split('\n').slice(2), [
    '| `url` | required | Is needed. |',
    '| `deadlineMs` | 50 ms | For an answer; see `url`. |',
    '| `read` | required | Is called. |',
  ]);
});

test('when a property has no docstring, or the interface is not there, then it is an error', () => {
  assert.throws(() => optionsOf(SOURCE, 'Bare'), /Bare.a has no docstring/);
  assert.throws(() => optionsOf(SOURCE, 'Absent'), /no interface Absent/);
});
