import { cronTimes, delayTimes, Firings, NOTHING } from './pace.js';

const at = (time: string): number => Date.parse(`2026-11-30T${time}Z`);

let nowMs: number;
let planned: number[];
beforeEach(() => {
  planned = [];
});

const everyTenSeconds = (start: string, limit = 100): Firings => {
  nowMs = at(start);
  return new Firings(
    cronTimes('0/10 * * * * ?', () => nowMs),
    { limit, onNext: (atMs) => planned.push(atMs) },
  );
};

const NONE = { ...NOTHING, inFlight: 0 };
const took = (count: number, inFlight = 0) => ({ ...NOTHING, taken: count, found: count, inFlight });

describe('a group with a cron takes messages when it fires, and only then', () => {
  it('when its time has not come, then nothing is taken, and the loop turns at least once a second', () => {
    const pace = everyTenSeconds('12:00:01');
    expect(pace.left()).toBe(0);
    expect(pace.rest(NONE)).toBe(1_000);
    nowMs = at('12:00:09.900');
    expect(pace.left()).toBe(0);
    expect(pace.rest(NONE)).toBe(100);
  });

  it('when it fires, then it takes its limit in as many passes as it needs, and no more until the next firing', () => {
    const pace = everyTenSeconds('12:00:09');
    pace.left();
    nowMs = at('12:00:10');
    expect(pace.left()).toBe(100);
    expect(pace.rest(took(60))).toBe(0);
    expect(pace.left()).toBe(40);
    pace.rest(took(40));
    expect(pace.left()).toBe(0);
    nowMs = at('12:00:19.999');
    expect(pace.left()).toBe(0);
    nowMs = at('12:00:20');
    expect(pace.left()).toBe(100);
  });

  it('when nothing is due any more, then the firing is over, whatever of its limit is left', () => {
    const pace = everyTenSeconds('12:00:09');
    pace.left();
    nowMs = at('12:00:10');
    pace.left();
    pace.rest(took(3));
    pace.rest(NONE);
    expect(pace.left()).toBe(0);
  });

  it('when a pass only met rows that must not be sent now, then the firing goes on behind them', () => {
    const pace = everyTenSeconds('12:00:09');
    pace.left();
    nowMs = at('12:00:10');
    pace.left();
    expect(pace.rest({ ...NOTHING, found: 50, inFlight: 0 })).toBe(0);
    expect(pace.left()).toBe(100);
  });

  it('when what it took is still on its way at the next time, then that firing is dropped and the one after it comes', () => {
    const pace = everyTenSeconds('12:00:09');
    pace.left();
    nowMs = at('12:00:10');
    pace.left();
    pace.rest(took(100, 100));
    nowMs = at('12:00:25');
    expect(pace.left()).toBe(0);
    pace.rest({ ...NONE, inFlight: 0 });
    expect(pace.left()).toBe(0);
    expect(planned.at(-1)).toBe(at('12:00:30'));
    nowMs = at('12:00:30');
    expect(pace.left()).toBe(100);
  });

  it('when it is paused, then what is left of a firing and those whose time passes meanwhile are not made up for', () => {
    const pace = everyTenSeconds('12:00:09');
    pace.left();
    nowMs = at('12:00:10');
    pace.left();
    pace.rest(took(10));
    nowMs = at('12:00:11');
    expect(pace.skip()).toBe(1_000);
    for (nowMs = at('12:00:12'); nowMs < at('12:00:45'); nowMs += 1_000) pace.skip();
    expect(pace.left()).toBe(0);
    nowMs = at('12:00:50');
    expect(pace.left()).toBe(100);
  });

  it('when the clock is put back by an hour, then the next firing is not an hour away', () => {
    const pace = everyTenSeconds('12:00:01');
    pace.left();
    nowMs = at('11:00:01');
    expect(pace.left()).toBe(0);
    nowMs = at('11:00:10');
    expect(pace.left()).toBe(100);
  });

  it('when it fires once a day, then it turns all day, and the time of its next firing is known', () => {
    nowMs = at('12:00:00');
    const pace = new Firings(
      cronTimes('0 0 3 * * ?', () => nowMs),
      { limit: 1, onNext: (atMs) => planned.push(atMs) },
    );
    for (; nowMs < Date.parse('2026-12-01T03:00:00Z'); nowMs += 60_000) {
      expect(pace.left()).toBe(0);
      expect(pace.rest(NONE)).toBeLessThanOrEqual(1_000);
    }
    expect(pace.left()).toBe(1);
    expect(planned).toEqual([nowMs]);
  });
});

describe('a group with a fixed delay', () => {
  it('when the relay starts, then it fires at once, and again when the delay has passed since the firing ended', () => {
    nowMs = 50;
    const pace = new Firings(
      delayTimes(5_000, () => nowMs),
      { limit: 50, onNext: () => undefined },
    );
    expect(pace.left()).toBe(50);
    nowMs = 2_050;
    pace.rest(took(50, 10));
    nowMs = 3_050;
    pace.rest(NONE);
    nowMs = 8_049;
    expect(pace.left()).toBe(0);
    nowMs = 8_050;
    expect(pace.left()).toBe(50);
  });
});

describe('cron expressions are read as in Spring', () => {
  it.each([
    ['0/10 * * * * ?', '12:00:05', '2026-11-30T12:00:10.000Z'],
    ['0 0 12 ? * MON', '12:00:05', '2026-12-07T12:00:00.000Z'],
    ['0 0 12 ? * 2', '12:00:05', '2026-12-01T12:00:00.000Z'],
    ['0 0 12 13 * FRI', '12:00:05', '2027-08-13T12:00:00.000Z'],
    ['0 30 2 29 2 ?', '12:00:05', '2028-02-29T02:30:00.000Z'],
  ])('when it is %s, then the next time after 30 November 2026 %s UTC is %s', (cron, now, next) => {
    expect(new Date(cronTimes(cron, () => at(now)).nextMs()).toISOString()).toBe(next);
  });
});
