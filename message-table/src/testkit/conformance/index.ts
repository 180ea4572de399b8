import type { Channel, Outgoing } from '../../channels/channel.js';
import { answers, printable } from './words.js';

/** One message as its destination has it. */
export interface Arrived {
  readonly messageId: string;
  readonly content: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

/** A channel with a destination behind it that takes messages, refuses them, or falls silent. */
export interface ChannelUnderTest extends AsyncDisposable {
  readonly channel: Channel;
  readonly attemptTimeoutMs: number;
  /** A config whose messages are taken. */
  readonly taken: unknown;
  /** A config whose messages are refused. */
  readonly refused: unknown;
  /** From now on nothing is answered. */
  readonly silence: () => void | Promise<void>;
  /** What has arrived with the config {@link taken}. */
  readonly arrived: () => Promise<readonly Arrived[]>;
}

const HEADERS = { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' };
const CONTENTS = ['{}', '{ "name" : "Zwölf ✓ 🎈" }', '"two\\nlines"', `"${'x'.repeat(200_000)}"`];
const NO_CONFIGS = [undefined, null, 7, 'text', [], {}, { unheardOf: 1 }];
const TOGETHER_AND_ALONE = ['send', 'sendAlone'] as const;
/** Machines are slow now and then; an attempt that waits for ever is longer than this. */
const MARGIN_MS = 2_000;

/**
 * What every channel promises, built in or registered. Call it in a test file of its own.
 *
 * @param open a channel and a destination for one test
 */
export function channelConformance(name: string, open: () => Promise<ChannelUnderTest>): void {
  let under: ChannelUnderTest;
  beforeEach(async () => {
    under = await open();
  });
  afterEach(() => under[Symbol.asyncDispose]());
  const now = (): ChannelUnderTest => under;

  describe(`The channel ${name} sends`, () => sending(now));
  describe(`The channel ${name} never rejects`, () => ending(now));
  describe(`The channel ${name} at the door`, () => accepting(now));
}

let count = 0;

const messageFor = ({ channel }: ChannelUnderTest, config: unknown, fields: Partial<Outgoing> = {}): Outgoing => ({
  ...{ id: String((count += 1)), version: 1, messageId: `message-${String(count)}`, taskName: 'conformance' },
  ...{ content: '{}', headers: HEADERS, createdMs: 1_795_000_000_123 },
  ...channel.checkConfig(config, { headers: HEADERS }),
  ...fields,
});

function sending(now: () => ChannelUnderTest): void {
  it.each(TOGETHER_AND_ALONE)('when it takes a message by %s, then it is there byte for byte', async (how) => {
    const { channel, taken, arrived } = now();
    for (const content of CONTENTS) {
      const message = messageFor(now(), taken, { content });
      expect(await channel[how](message)).toEqual({ kind: 'confirmed' });
      expect((await arrived()).at(-1)).toMatchObject({ messageId: message.messageId, content, headers: HEADERS });
    }
  });

  it('when many are sent at once, then each is there', async () => {
    const { channel, taken, arrived } = now();
    const messages = Array.from({ length: 50 }, () => messageFor(now(), taken));
    const outcomes = await Promise.all(messages.map((message) => channel.send(message)));
    expect(outcomes.filter(({ kind }) => kind !== 'confirmed')).toEqual([]);
    const there = (await arrived()).map(({ messageId }) => messageId);
    expect(there.sort()).toEqual(messages.map(({ messageId }) => messageId).sort());
  });
}

function ending(now: () => ChannelUnderTest): void {
  it.each(TOGETHER_AND_ALONE)('when a message is refused after %s, then a reason says why', async (how) => {
    const outcome = await now().channel[how](messageFor(now(), now().refused));
    expect(outcome).toMatchObject({ kind: 'refused', reason: expect.stringMatching(/\w/) as string });
  });

  it.each(TOGETHER_AND_ALONE)('when nothing answers %s, then it ends unknown in time', async (how) => {
    const { channel, taken, silence, attemptTimeoutMs } = now();
    const message = messageFor(now(), taken);
    await silence();
    const sentMs = performance.now();
    expect(await channel[how](message)).toMatchObject({ kind: 'unknown' });
    expect(performance.now() - sentMs).toBeLessThan(attemptTimeoutMs + MARGIN_MS);
  });

  it('when a row holds what no door let in, then the attempt ends and the destination has a name', async () => {
    const { channel, taken } = now();
    for (const channelConfig of [null, '', '{', '{}', '[]', 'null']) {
      const stored = { exchange: 'no such exchange', routingKey: '', channelConfig };
      expect(answers(await channel.send(messageFor(now(), taken, stored)))).toBe(true);
      expect(printable(channel.destinationOf(stored))).toBe(true);
    }
  });
}

function accepting(now: () => ChannelUnderTest): void {
  it.each(NO_CONFIGS)('when the config is %j, then the door says so', (config) => {
    expect(() => now().channel.checkConfig(config, { headers: {} })).toThrow(
      expect.objectContaining({ code: 'CHANNEL_CONFIG_INVALID' }) as Error,
    );
  });

  it('when two messages have one config, then they have one destination, whose name fits its column', () => {
    const { channel, taken } = now();
    const [first, second] = [messageFor(now(), taken), messageFor(now(), taken)].map((one) =>
      channel.destinationOf(one),
    );
    expect(first).toBe(second);
    expect(printable(first)).toBe(true);
    expect(channel.name).toMatch(/^[\x21-\x7e]{1,20}$/);
  });
}
