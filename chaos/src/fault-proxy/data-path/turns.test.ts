import { Bench } from '../testkit/bench.js';
import { sender, Turns, type Sender } from './turns.js';

const CHUNK_BYTES = 64 * 1024;
const CHUNKS_A_TURN = 32;

const nextTurn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

describe('the turns of the event loop are shared', () => {
  let turns: Turns;
  let woken: number[];
  const senderOf = (number: number): Sender => sender(() => void woken.push(number));
  const chunks = (count: number, by: Sender): boolean[] =>
    Array.from({ length: count }, () => turns.spend(CHUNK_BYTES, by));

  beforeEach(() => {
    turns = new Turns();
    woken = [];
  });

  it('when a turn has read little, then nobody waits, whatever one of them has sent', () => {
    expect(chunks(CHUNKS_A_TURN, senderOf(0))).not.toContain(true);
  });

  it('when a turn has read enough, then whoever has had its share is to wait, and the others are not', async () => {
    const [greedy, other] = [senderOf(1), senderOf(2)];
    chunks(CHUNKS_A_TURN, greedy);
    expect([turns.spend(100, greedy), ...chunks(1, other), ...chunks(1, greedy)]).toEqual([false, false, true]);
    turns.wait(greedy);
    expect(woken).toEqual([]);
    await nextTurn();
    expect(woken).toEqual([1]);
    expect(chunks(1, greedy)).toEqual([false]);
  });

  it('when many wait, then they go on in their order, some in each turn, also when turns are full', async () => {
    const all = Array.from({ length: 40 }, (_, index) => index);
    chunks(CHUNKS_A_TURN + 1, senderOf(-1));
    for (const number of all) turns.wait(senderOf(number));
    const seen: number[] = [];
    while (woken.length < all.length) {
      await nextTurn();
      seen.push(woken.length);
      if (seen.length < 5) chunks(CHUNKS_A_TURN + 1, senderOf(-1));
    }
    expect(woken).toEqual(all);
    expect(seen.slice(0, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(seen.length).toBeGreaterThan(6);
  });
});

describe('what had to wait for its turn', () => {
  const CONNECTIONS = 60;
  const SENT = Buffer.alloc(1024 * 1024, '0123456789abcdefghijklmnopqrstu');
  let bench: Bench;

  beforeAll(async () => {
    bench = await Bench.startOurs();
  });
  afterEach(() => bench.clear());
  afterAll(() => bench.stop());

  it('when more is sent at once than a turn takes, then each connection has all of its own, in order, and its end', async () => {
    const upstream = await bench.upstream('echo');
    const proxy = await bench.proxy(upstream);
    const clients = await Promise.all(Array.from({ length: CONNECTIONS }, () => bench.connect(proxy)));
    for (const client of clients) {
      client.send(SENT);
      client.finish();
    }
    expect(await Promise.all(clients.map((client) => client.ended))).toEqual(clients.map(() => 'fin'));
    expect(clients.filter((client) => !client.received.equals(SENT))).toEqual([]);
  });
});
