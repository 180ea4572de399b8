import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

import { createEvents } from '../observe/events.js';
import { errorPacket } from '../testkit/error-packet.js';
import { openDatabase } from './database.js';
import { isDatabaseTrouble } from './error-kinds.js';

it.each([1040, 1130, 1135, 9001, 9999])(
  "when a new connection is refused with %d, listed or not, then that is the database's own trouble",
  async (errno) => {
    const server = createServer((socket) => socket.end(errorPacket(errno, 'Not you', 0))).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const db = openDatabase({ url: `mysql://u@127.0.0.1:${String(port)}/d`, events: createEvents() });
    const refusal: unknown = await db.ping().catch((error: unknown) => error);
    await db.close();
    server.close();
    expect(refusal).toMatchObject({ errno });
    expect(isDatabaseTrouble(refusal)).toBe(true);
  },
);
