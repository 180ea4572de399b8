export { destinationFault } from './door.js';
export { createHttpChannel, type HttpChannelOptions } from './http-channel.js';
export type { Lookup, ResolvedAddress } from './vetted-addresses.js';
