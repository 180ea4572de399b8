import { inParts } from './in-parts.js';

const cut = (sizes: readonly number[], maxBytes: number): number[][] => inParts(sizes, (size) => size, maxBytes);

describe('a list is cut by bytes', () => {
  it('when all of it fits, then it stays whole', () => {
    expect(cut([1, 2, 3], 6)).toEqual([[1, 2, 3]]);
    expect(cut([], 6)).toEqual([]);
  });

  it('when one more would be too much, then it begins the next part', () => {
    expect(cut([4, 3, 3, 1], 6)).toEqual([[4], [3, 3], [1]]);
  });

  it('when one alone is too much, then it is alone', () => {
    expect(cut([1, 9, 1], 6)).toEqual([[1], [9], [1]]);
  });
});
