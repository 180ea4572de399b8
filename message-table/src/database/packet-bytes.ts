import { selectRows, type Runner } from './rows.js';

/** How large a statement may be on this server. It answers a larger one by cutting the connection, which looks like an outage. */
export async function readPacketBytes(runner: Runner): Promise<number> {
  const [row] = await selectRows<{ bytes: number | string }>(runner, 'SELECT @@max_allowed_packet AS bytes');
  return Number(row?.bytes);
}
