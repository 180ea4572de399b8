import { join } from 'node:path';

import type { startLoad as StartLoad } from './load-process.js';

// Runs from dist/: a process of its own cannot load TypeScript.
const { startLoad } = jest.requireActual<{ startLoad: typeof StartLoad }>(
  join(__dirname, '..', 'dist', 'load-process.js'),
);

describe('the load in a process of its own', () => {
  it('when more orders fail than a pipe holds the numbers of, and nobody reads for a while, then the summary comes whole', async () => {
    const load = startLoad(
      {
        ...{ url: 'http://127.0.0.1:1', rate: 20_000, warmUpSeconds: 0, seconds: 2, seed: 1, run: 'refused' },
        firstProductId: 1,
      },
      ({ attempted }) => {
        if (attempted > 30_000) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_500);
      },
    );
    const { attempted, fail, failed } = await load.summary;
    expect({ attempted, fail, failed: failed.length }).toEqual({ attempted: 40_000, fail: 40_000, failed: 40_000 });
  });
});
