import fc from 'fast-check';
import { escape } from 'mysql2';

import { fitsStatement } from './packet-limit.js';
import { storeBody } from './store/content.js';

describe('a statement that is too large is never sent', () => {
  it('whatever the body and the headers, then what fits is no larger than the packet once it is escaped', () => {
    const body = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 30_000, size: 'max' }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 30_000, size: 'max' }).map((bytes) => Buffer.from(bytes)),
      fc.nat(30_000).map((length) => Buffer.alloc(length, '"\\\n')),
    );
    fc.assert(
      fc.property(body, fc.dictionary(fc.string(), fc.string()), (bytes, headers) => {
        const written = escape(storeBody(bytes).content) + escape(JSON.stringify(headers));
        const fits = fitsStatement({ body: bytes, headers }, 32 * 1024);
        if (fits) expect(Buffer.byteLength(written)).toBeLessThan(32 * 1024);
      }),
      { numRuns: 200 },
    );
  });

  it('when there is nothing to escape, then almost the whole packet can be used', () => {
    expect(fitsStatement({ body: Buffer.alloc(24_000, 'a'), headers: {} }, 32 * 1024)).toBe(true);
    expect(fitsStatement({ body: Buffer.alloc(25_000, 'a'), headers: {} }, 32 * 1024)).toBe(false);
  });
});
