import { channelTo, outgoing } from './testing/sending.js';
import { shareLookups } from './share-lookups.js';
import type { ResolvedAddress } from './vetted-addresses.js';

type Answer = readonly ResolvedAddress[];

/** A name server that answers when it is told to. */
function server() {
  const asked: { host: string; answer: (addresses: Answer) => void; fail: (error: Error) => void }[] = [];
  const lookup = (host: string): Promise<Answer> =>
    new Promise((answer, fail) => {
      asked.push({ host, answer, fail });
    });
  return { asked, lookup };
}

const ONE: Answer = [{ address: '192.0.2.1', family: 4 }];

describe('look-ups of one host', () => {
  it('WH-01: when a name server is silent, then a batch of messages to one host holds one look-up, not one each', async () => {
    const { asked, lookup } = server();
    const channel = channelTo(['a.test:80', 'b.test:80'], { lookup, attemptTimeoutMs: 100 });
    const messages = ['a', 'b'].flatMap((host) =>
      Array.from({ length: 50 }, () => outgoing({ url: `http://${host}.test/` })),
    );
    const outcomes = await Promise.all(messages.map((message) => channel.send(message)));
    expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['unknown']));
    expect(asked.map(({ host }) => host)).toEqual(['a.test', 'b.test']);
  });

  it('SSRF-01: when one has been answered, or has failed, then the next attempt asks again', async () => {
    const { asked, lookup } = server();
    const shared = shareLookups(lookup);
    const [first, second] = [shared('a.test'), shared('a.test')];
    asked[0]?.answer(ONE);
    expect(await first).toBe(await second);
    const third = shared('a.test');
    asked[1]?.fail(new Error('ENOTFOUND'));
    await expect(third).rejects.toThrow('ENOTFOUND');
    void shared('a.test');
    expect(asked).toHaveLength(3);
  });

  it('when one does not end at all, then after a while another one is tried', () => {
    const { asked, lookup } = server();
    let nowMs = 0;
    const shared = shareLookups(lookup, () => nowMs);
    void shared('a.test');
    nowMs = 29_000;
    void shared('a.test');
    expect(asked).toHaveLength(1);
    nowMs = 31_000;
    void shared('a.test');
    expect(asked).toHaveLength(2);
  });
});
