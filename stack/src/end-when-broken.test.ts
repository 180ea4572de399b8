import { EventEmitter } from 'node:events';

import { endWhenBroken } from './end-when-broken.js';

describe('an error that nobody caught', () => {
  let codes: number[];
  beforeEach(() => {
    codes = [];
  });

  const processThat = (write: (text: string) => void) => {
    const own = Object.assign(new EventEmitter(), { stderr: { write }, exit: (code: number) => void codes.push(code) });
    endWhenBroken(own as unknown as NodeJS.Process, 2);
    return own;
  };

  it('when it comes, then the process says what it was, and ends with the code that it was given', () => {
    const said: string[] = [];
    processThat((text) => void said.push(text)).emit('uncaughtException', new Error('boom'));
    expect(said.join('')).toContain('Error: boom\n    at ');
    expect(codes).toEqual([2]);
  });

  it('when even that cannot be said, then it ends all the same', () => {
    const own = processThat(() => {
      throw new Error('EIO');
    });
    expect(() => own.emit('uncaughtException', new Error('boom'))).toThrow('EIO');
    expect(codes).toEqual([2]);
  });
});
