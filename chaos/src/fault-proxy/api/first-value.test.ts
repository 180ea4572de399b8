import { firstValue } from './first-value.js';

describe('the first JSON value of a body is read', () => {
  it.each([
    ['{"a":1}', { a: 1 }],
    [' {"a":{"b":[1,{}]}} {"c":2}', { a: { b: [1, {}] } }],
    ['{"a":"}\\"]"}x', { a: '}"]' }],
    ['[1,2] trailing', [1, 2]],
    ['null', null],
  ])('when the body is %s, then it is %j', (text, value) => {
    expect(firstValue(text)).toEqual(value);
  });

  it.each([
    ['', 'EOF'],
    ['  ', 'EOF'],
    ['{"a":', ''],
    ['nonsense', ''],
  ])('when the body is %j, then it is a bad request', (text, reason) => {
    expect(() => firstValue(text)).toThrow(`bad request body: ${reason}`);
  });
});
