// #region channel
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';

import { answeredWithin, CONFIRMED, MessageTableError, refused, refusedForGood } from '@counterfoil/message-table';
import type { Channel, Outcome, Outgoing } from '@counterfoil/message-table';

declare module '@counterfoil/message-table' {
  interface ChannelConfigs {
    log: { readonly file: string };
  }
}

/** Appends each message as a line of JSON to a file in `folder`. */
export function createLogChannel(folder: string, attemptTimeoutMs: number): Channel {
  async function append({ channelConfig, messageId, headers, content }: Outgoing): Promise<Outcome> {
    const file = fileOf(JSON.parse(channelConfig ?? 'null'));
    if (file === null) return refusedForGood('The row names no file'); // FAILED: no further attempt ends differently
    const line = JSON.stringify({ messageId, headers, content });
    try {
      await appendFile(join(folder, file), `${line}\n`, { flush: true });
      return CONFIRMED;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EISDIR') return refused(`${file} is a folder`);
      throw error; // ends unknown, as every outage does: it uses no attempt
    }
  }
  const send = (message: Outgoing): Promise<Outcome> => answeredWithin(attemptTimeoutMs, append(message));
  return {
    name: 'log',
    isUp: () => true,
    checkConfig: (config) => {
      const file = fileOf(config);
      if (file === null) throw new MessageTableError('CHANNEL_CONFIG_INVALID', 'config of log must be { file }');
      return { exchange: '', routingKey: '', channelConfig: JSON.stringify({ file }) };
    },
    destinationOf: ({ channelConfig }) => channelConfig ?? '', // what a breaker, a pause and people mean by it
    send,
    sendAlone: send, // no message shares a line that another could cut
  };
}

function fileOf(config: unknown): string | null {
  const { file } = Object(config) as { file?: unknown };
  return typeof file === 'string' && /^[\w-]+\.log$/.test(file) ? file : null;
}
// #endregion channel
