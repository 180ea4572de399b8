import { HostPlaces, type Place } from './host-places.js';

const [SLOW, OTHER] = ['slow.example:443', 'other.example:443'];

let nowMs: number;
let places: HostPlaces;
beforeEach(() => {
  nowMs = 1_000;
  places = new HostPlaces(3, 100, () => nowMs);
});

async function taken(hostPort: string): Promise<Place> {
  const place = await places.take(hostPort);
  if (typeof place === 'number') throw new Error(`no place, ${String(place)} ms`);
  return place;
}

/** So many requests, one after the other, that took so long each. */
async function answered(hostPort: string, count: number, tookMs: number): Promise<void> {
  for (let i = 0; i < count; i += 1) {
    const place = await taken(hostPort);
    nowMs += tookMs;
    place[Symbol.dispose]();
  }
}

const full = (hostPort: string): Promise<Place[]> => Promise.all([1, 2, 3].map(() => taken(hostPort)));

describe('How many requests a host has at once', () => {
  it('when a slow host has its places full, then more is turned away at once, and another host has its own', async () => {
    await answered(SLOW, 10, 5_000);
    await full(SLOW);
    expect(await places.take(SLOW)).toEqual(expect.any(Number));
    await taken(OTHER);
  });

  it('when a place is free again, then the next one has it', async () => {
    await answered(SLOW, 10, 5_000);
    const [place] = await full(SLOW);
    place?.[Symbol.dispose]();
    await taken(SLOW);
    expect(await places.take(SLOW)).toEqual(expect.any(Number));
  });

  it('when a quick host has its places full, then a burst waits its turn in the order of coming', async () => {
    await answered(OTHER, 10, 1);
    const [first, second] = await full(OTHER);
    const order: string[] = [];
    const waiting = ['a', 'b'].map((name) => taken(OTHER).then(() => order.push(name)));
    first?.[Symbol.dispose]();
    second?.[Symbol.dispose]();
    await Promise.all(waiting);
    expect(order).toEqual(['a', 'b']);
  });

  it('when a host that was quick falls silent, then what waits is turned away after a moment, and takes no place with it', async () => {
    const underWay = await full(OTHER);
    expect(await Promise.all([places.take(OTHER), places.take(OTHER)])).toEqual([
      expect.any(Number),
      expect.any(Number),
    ]);
    for (const place of underWay) place[Symbol.dispose]();
    await full(OTHER);
  });

  it('when more waits than a host works off in that moment, then the rest is turned away at once', async () => {
    await answered(OTHER, 200, 40);
    await full(OTHER);
    const turnedAway: number[] = [];
    const asked = Array.from({ length: 10 }, (_, i) => places.take(OTHER).then(() => turnedAway.push(i)));
    await asked[9];
    // 3 × (100 / 40 − 1) may wait: the first five find fewer than that before them.
    expect(turnedAway).toEqual([5, 6, 7, 8, 9]);
    await Promise.all(asked);
  });

  it('when many are turned away, then they come back one after the other as fast as the host works, within a minute', async () => {
    await answered(SLOW, 200, 3_000);
    await full(SLOW);
    const backInMs: number[] = [];
    for (let i = 0; i < 100; i += 1) backInMs.push(Number(await places.take(SLOW)));
    expect(backInMs.slice(0, 3).map(Math.round)).toEqual([1_000, 2_000, 3_000]);
    expect(Math.round(backInMs.at(-1) ?? 0)).toBe(60_000);
    nowMs += 60_000;
    expect(Math.round(Number(await places.take(SLOW)))).toBe(1_000);
  });
});
