import { SortedRows, type DueRow, type SortOptions } from './sort-rows.js';

const OPTIONS: SortOptions = { limit: 10, byteBudget: 100, obstacle: () => null, suspectsKept: 2 };

const row = (id: string, facts: Partial<DueRow> = {}): DueRow => ({
  ...{ id, version: 0, messageId: `m-${id}`, channel: 'rabbitmq', exchange: 'e', routingKey: 'r', channelConfig: null },
  ...{ retryCount: 0, maxRetryCount: 5, lostCount: 0, contentBytes: 10 },
  ...facts,
});

const ids = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id);

describe('what a claim does with the rows of several houses', () => {
  it('when the first house fills the batch, then nothing is taken from the next', () => {
    const sorted = new SortedRows({ ...OPTIONS, limit: 2 });
    sorted.add([row('1'), row('2')]);
    expect(sorted.isFull).toBe(true);
    sorted.add([row('3')]);
    expect(ids(sorted.taken)).toEqual(['1', '2']);
  });

  it('when contents of an earlier house have used the budget, then a row of a later one does not go beyond it', () => {
    const sorted = new SortedRows(OPTIONS);
    sorted.add([row('1', { contentBytes: 90 })]);
    expect(sorted.isFull).toBe(false);
    sorted.add([row('2', { contentBytes: 11 }), row('3', { contentBytes: 1 })]);
    expect(ids(sorted.taken)).toEqual(['1']);
    expect(sorted.isFull).toBe(true);
  });

  it('when a row alone is larger than the budget, then it is taken, alone', () => {
    const sorted = new SortedRows(OPTIONS);
    sorted.add([row('1', { contentBytes: '5000' }), row('2')]);
    expect(ids(sorted.taken)).toEqual(['1']);
  });

  it('when a row does not fit, then nobody is asked what is in its way', () => {
    const asked: string[] = [];
    const obstacle = ({ id }: DueRow): null => {
      asked.push(id);
      return null;
    };
    const sorted = new SortedRows({ ...OPTIONS, obstacle });
    sorted.add([row('1', { contentBytes: 60 }), row('2', { contentBytes: 60 })]);
    expect(asked).toEqual(['1']);
  });

  it('when an earlier claim of the pass has met a suspect, then it is left alone, and nobody is asked about it again', () => {
    const asked: string[] = [];
    const obstacle = ({ id }: DueRow): null => {
      asked.push(id);
      return null;
    };
    const sorted = new SortedRows({ ...OPTIONS, obstacle, suspectsMet: new Set(['1']) });
    sorted.add([row('1', { lostCount: 1 }), row('2', { lostCount: 1 }), row('3')]);
    expect([asked, ids(sorted.suspects), ids(sorted.taken)]).toEqual([['2', '3'], ['2'], ['3']]);
  });

  it('when rows of two houses have the same thing in their way, then they are put off together', () => {
    const sorted = new SortedRows({ ...OPTIONS, obstacle: () => ({ parkedFor: 'audit', ms: 10 }) });
    sorted.add([row('1')]);
    sorted.add([row('2')]);
    expect(sorted.later.map(({ obstacle, rows }) => [obstacle.parkedFor, ids(rows)])).toEqual([['audit', ['1', '2']]]);
    expect(sorted.taken).toEqual([]);
  });

  it('when suspects come from several houses, then so many of each are kept, and the rest is put off', () => {
    const sorted = new SortedRows(OPTIONS);
    const suspects = (...names: string[]): DueRow[] => names.map((id) => row(id, { lostCount: 1 }));
    sorted.add(suspects('1', '2', '3'));
    sorted.add([...suspects('4', '5', '6'), row('7')]);
    expect(ids(sorted.suspects)).toEqual(['1', '2', '4', '5']);
    expect(sorted.later.map(({ rows }) => ids(rows))).toEqual([['3', '6']]);
    expect(ids(sorted.taken)).toEqual(['7']);
  });
});
