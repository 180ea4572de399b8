import { isUsableKey } from '../usable-key.js';
import type { Channel } from './channel.js';

/** The channels of one process by name: what a row's `channel` is looked up in. */
export type Channels = ReadonlyMap<string, Channel>;

/** @throws TypeError when a name does not fit the column or is given twice */
export function channelMap(channels: readonly Channel[]): Channels {
  const map = new Map<string, Channel>();
  for (const channel of channels) {
    const { name } = channel;
    // A destination's name begins with it, up to the first blank.
    if (!isUsableKey(name, 20) || name.includes(' '))
      throw new TypeError(`A channel's name must be 1 to 20 printable ASCII characters without blanks`);
    if (map.has(name)) throw new TypeError(`There are two channels with the name '${name}'`);
    map.set(name, channel);
  }
  return map;
}
