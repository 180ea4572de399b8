import { once } from 'node:events';
import { Writable } from 'node:stream';

import { gatherWrites } from './gather-writes.js';

/** A socket's writing half: each call of these two is one system call there. */
function aSocket() {
  const calls: string[] = [];
  const socket = new Writable({
    highWaterMark: 64,
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      calls.push(chunk);
      setImmediate(done);
    },
    writev(chunks: { chunk: unknown }[], done) {
      calls.push(chunks.map(({ chunk }) => String(chunk)).join(''));
      setImmediate(done);
    },
  });
  gatherWrites(socket);
  return { socket, calls };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('writes of one turn of the event loop', () => {
  it('when many are written at once, then they leave together, in order, before anything else happens', async () => {
    const { socket, calls } = aSocket();
    for (const text of ['a', 'b', 'c']) socket.write(text);
    expect(calls).toEqual([]);
    await turn();
    expect(calls).toEqual(['abc']);
  });

  it('when something is written in a later turn, then it does not wait for more', async () => {
    const { socket, calls } = aSocket();
    socket.write('a');
    await turn();
    await turn();
    socket.write('b');
    await turn();
    expect(calls).toEqual(['a', 'b']);
  });

  it('when more is written than the socket holds, then it says so, and says when there is room again', async () => {
    const { socket, calls } = aSocket();
    expect(socket.write('x'.repeat(60))).toBe(true);
    expect(socket.write('y'.repeat(60))).toBe(false);
    await once(socket, 'drain');
    expect(calls.join('')).toBe('x'.repeat(60) + 'y'.repeat(60));
  });

  it('when it is ended, or destroyed, with something gathered, then the one is still written and the other harms nobody', async () => {
    const { socket, calls } = aSocket();
    socket.write('last');
    socket.end();
    await once(socket, 'finish');
    expect(calls).toEqual(['last']);
    const { socket: broken, calls: none } = aSocket();
    broken.write('lost');
    broken.destroy();
    await turn();
    expect(none).toEqual([]);
  });
});
