import { quiet } from '../eventually.js';
import { pairWith } from './pair-with.js';
import { vector, type Vector } from './vector.js';

/** M1–M3. */
export const LIMIT_DATA: readonly Vector[] = [
  vector('M1', 'when the limit is reached, then that much has passed and it ends', async (bench) => {
    for (const sizes of [[90, 20], [100]]) {
      const { client, server } = await pairWith(bench, 'limit_data', { bytes: 100 });
      for (const size of sizes) {
        client.send(Buffer.alloc(size));
        await quiet(20);
      }
      await Promise.all([server.ended, client.ended]);
      expect(server.sizeBytes).toBe(100);
    }
    const { client, server } = await pairWith(bench, 'limit_data', { bytes: 100 });
    client.send(Buffer.alloc(50));
    await server.has(50);
    await quiet(100);
    expect([client.end, server.end]).toEqual([undefined, undefined]);
  }),
  vector('M2', 'when it is updated, then the count goes on', async (bench) => {
    const { client, server, path } = await pairWith(bench, 'limit_data', { bytes: 100 });
    client.send(Buffer.alloc(80));
    await server.has(80);
    await bench.change(path, { attributes: { bytes: 120 } });
    client.send(Buffer.alloc(80));
    await server.ended;
    expect(server.sizeBytes).toBe(120);
  }),
  vector('M3', 'when the limit is 0, then the first byte ends it', async (bench) => {
    const { client, server } = await pairWith(bench, 'limit_data', { bytes: 0 });
    await quiet(50);
    expect(server.end).toBeUndefined();
    client.send('x');
    await server.ended;
    expect(server.sizeBytes).toBe(0);
  }),
];
