/**
 * The packet by which a server, or a proxy in its place, says an error.
 *
 * @param sequence 0 where a greeting was expected, 1 as the answer to a statement
 */
export function errorPacket(errno: number, text: string, sequence: 0 | 1): Buffer {
  const body = Buffer.concat([Buffer.from([0xff, errno & 0xff, errno >> 8]), Buffer.from(text)]);
  return Buffer.concat([Buffer.from([body.length, 0, 0, sequence]), body]);
}
