import type { StoredConfig } from '../channels/channel.js';
import { MessageTableError } from '../errors.js';
import { isUsableKey } from '../usable-key.js';

/** What the column holds. */
const MAX_CONFIG_BYTES = 65_535;

/**
 * What a channel wants stored must fit its columns, whoever wrote the channel.
 *
 * @throws MessageTableError `CHANNEL_CONFIG_INVALID`
 */
export function checkStored(channel: string, { exchange, routingKey, channelConfig }: StoredConfig): StoredConfig {
  const fits =
    [exchange, routingKey].every((key) => key === '' || isUsableKey(key, 100)) &&
    (channelConfig === null || Buffer.byteLength(channelConfig) <= MAX_CONFIG_BYTES);
  if (fits) return { exchange, routingKey, channelConfig };
  throw new MessageTableError(
    'CHANNEL_CONFIG_INVALID',
    `config of ${channel} does not fit its columns: 100 printable ASCII characters, ${String(MAX_CONFIG_BYTES)} bytes of JSON`,
  );
}
