import { sabotageNamed } from '../sabotage/all.js';
import { isAsExpected, matrixLines, type Proof } from './matrix.js';

const proof = (verdict: Proof['trial']['verdict'], broken: string[], survives?: string): Proof => ({
  sabotage: { ...sabotageNamed('unfenced-retry'), ...(survives === undefined ? {} : { survives, caughtBy: [] }) },
  trial: { verdict, broken, reasons: [], seconds: 12, folder: 'runs/x' },
});

describe('the kill matrix', () => {
  it('when every invariant that should find a bug did, then it is caught, whoever else found it', () => {
    expect(isAsExpected(proof('invalid', ['I5', 'I16', 'I7']))).toBe(true);
  });

  it.each([
    ['one of them did not', proof('invalid', ['I5', 'I7'])],
    ['the run cannot tell', proof('unknown', [])],
    ['the run is valid', proof('valid', [])],
    ['it could not be planted', proof('did not run', [])],
  ])('when %s, then it survives', (_what, survivor) => {
    expect(isAsExpected(survivor)).toBe(false);
    expect(matrixLines([survivor]).at(-1)).toContain('SURVIVED');
  });

  it('when nobody can find a bug, then finding it is news', () => {
    expect(isAsExpected(proof('valid', [], 'nobody can'))).toBe(true);
    expect(isAsExpected(proof('invalid', ['I5'], 'nobody can'))).toBe(false);
  });

  it('when it is printed, then each invariant has its column and the missing one is marked', () => {
    const [head = '', row = ''] = matrixLines([proof('invalid', ['I5', 'I7'])]);
    const under = (id: string): string | undefined => row[head.lastIndexOf(` ${id} `) + id.length];
    expect([under('5'), under('7'), under('16'), under('1')]).toEqual(['✗', 'x', '!', '·']);
  });
});
