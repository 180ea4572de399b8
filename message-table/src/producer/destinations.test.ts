import { CONFIRMED, lacking, refused, unknown, type Outcome } from '../channels/outcome.js';
import { Destinations } from './destinations.js';

const HERE = { channel: 'rabbitmq', destination: 'rabbitmq inventory.exchange inventory.deduct' };
const THERE = { channel: 'rabbitmq', destination: 'rabbitmq inventory.exchange audit' };

let nowMs: number;
let destinations: Destinations;
beforeEach(() => {
  nowMs = 1_000;
  destinations = new Destinations(
    { openAfter: 3, firstPauseMs: 10_000, longestPauseMs: 25_000 },
    () => nowMs,
    (ms) => ms,
  );
});

const silence = (times: number): void => {
  for (let i = 0; i < times; i += 1) destinations.report(HERE, unknown('no answer'));
};

describe('a destination that stays silent is left alone for a while', () => {
  it('when a few attempts in a row get no answer, then its messages are put off, and no others', () => {
    silence(3);
    expect(destinations.obstacle(HERE)).toEqual({
      parkedFor: 'rabbitmq inventory.exchange inventory.deduct',
      ms: 10_000,
    });
    expect(destinations.obstacle(THERE)).toBeNull();
  });

  it('when an answer comes in between, even a no, then the count begins again', () => {
    silence(2);
    destinations.report(HERE, refused('nack'));
    silence(2);
    expect(destinations.obstacle(HERE)).toBeNull();
  });

  it('when nothing was sent for want of a secret, then nobody blames the destination', () => {
    for (let i = 0; i < 50; i += 1)
      destinations.report(HERE, { ...lacking('Secret HOOK is missing'), pauseMs: 60_000 });
    expect(destinations.obstacle(HERE)).toBeNull();
  });

  it('when the pause is over, then one message is let through and the rest wait for its outcome', () => {
    silence(3);
    nowMs += 10_000;
    expect(destinations.obstacle(HERE)).toBeNull();
    expect(destinations.obstacle(HERE)).not.toBeNull();
  });

  it('when the one that was let through is asked about once more before it is sent, then it is still let through', () => {
    expect(destinations.isFreeYet(HERE)).toBe(true);
    silence(3);
    expect(destinations.isFreeYet(HERE)).toBe(false);
    nowMs += 10_000;
    destinations.obstacle(HERE);
    expect(destinations.isFreeYet(HERE)).toBe(true);
    destinations.setPauses([{ scope: 'channel', target: 'rabbitmq' }]);
    expect(destinations.isFreeYet(HERE)).toBe(false);
  });

  it('when the one that was let through gets no answer either, then the pause doubles, up to the longest', () => {
    silence(3);
    for (const pauseMs of [20_000, 25_000, 25_000]) {
      nowMs += 25_000;
      destinations.obstacle(HERE);
      silence(1);
      expect(destinations.obstacle(HERE)).toMatchObject({ ms: pauseMs });
    }
  });

  it('when attempts of before the opening end without an answer, then the pause does not grow', () => {
    silence(50);
    expect(destinations.obstacle(HERE)).toMatchObject({ ms: 10_000 });
  });

  it('when it answers again, then it is free and whoever parked messages for it is told once', () => {
    silence(3);
    nowMs += 10_000;
    destinations.obstacle(HERE);
    expect(destinations.report(HERE, CONFIRMED)).toBe(true);
    expect(destinations.report(HERE, CONFIRMED)).toBe(false);
    expect(destinations.obstacle(HERE)).toBeNull();
  });

  it('when the one that was let through is lost without an outcome, then another is let through later', () => {
    silence(3);
    nowMs += 10_000;
    destinations.obstacle(HERE);
    nowMs += 10_000;
    expect(destinations.obstacle(HERE)).toBeNull();
  });
});

describe('how long a destination is left alone unless said otherwise', () => {
  const opened = (jitter = (ms: number): number => ms): void => {
    destinations = new Destinations({}, () => nowMs, jitter);
    silence(5);
  };

  it('when it falls silent, then it is tried again after a second: a queue has another leader by then', () => {
    opened();
    expect(destinations.obstacle(HERE)).toMatchObject({ ms: 1_000 });
  });

  it('when it stays silent for half an hour, then the pauses grow, so that a row is put off a dozen times and not every second', () => {
    opened();
    let [putOff, probes] = [0, 0];
    const endMs = nowMs + 1_800_000;
    while (nowMs < endMs) {
      const obstacle = destinations.obstacle(HERE);
      nowMs += obstacle?.ms ?? 0;
      if (obstacle === null) silence(1);
      if (obstacle === null) probes += 1;
      else putOff += 1;
    }
    expect([putOff, probes]).toEqual([14, 13]);
  });

  it('when its pauses are jittered, then what it asked for still holds in full', () => {
    opened((ms) => ms * 0.8);
    expect(destinations.obstacle(HERE)).toMatchObject({ ms: 800 });
    destinations.report(HERE, { ...unknown('503'), pauseMs: 7_000 });
    expect(destinations.obstacle(HERE)).toMatchObject({ ms: 7_000 });
  });

  it('when it only says no after its outages, then its pauses go on growing; when it takes a message, they begin again', () => {
    opened();
    for (const [answer, nextMs] of [
      [refused('500'), 2_000],
      [refused('500'), 4_000],
      [CONFIRMED, 1_000],
    ] as const) {
      nowMs += 300_000;
      destinations.obstacle(HERE);
      expect(destinations.report(HERE, answer)).toBe(true);
      silence(5);
      expect(destinations.obstacle(HERE)).toMatchObject({ ms: nextMs });
    }
  });
});

describe('a destination that asks for a rest has it', () => {
  const asks = (pauseMs: number): boolean => destinations.report(HERE, { ...unknown('503'), pauseMs });

  it('WH-02: when one answer asks for a rest, then the breaker opens at once, for as long or for its own pause', () => {
    asks(120_000);
    expect(destinations.obstacle(HERE)).toMatchObject({ ms: 120_000 });
    nowMs += 120_000;
    expect(destinations.obstacle(HERE)).toBeNull();
    asks(1_000);
    expect(destinations.obstacle(HERE)).toMatchObject({ ms: 25_000 });
  });

  it('WH-02: when a later answer of the same crowd asks for longer, then the longest holds', () => {
    asks(20_000);
    asks(60_000);
    asks(30_000);
    expect(destinations.obstacle(HERE)).toMatchObject({ ms: 60_000 });
  });

  it.each([Number.NaN, Infinity, -5])('WH-02: when a channel says %d, then it asked for nothing', (pauseMs) => {
    asks(pauseMs);
    expect(destinations.obstacle(HERE)).toBeNull();
  });

  it('when the refusal of one message asks for a rest, then only that message has it', () => {
    destinations.report(HERE, { ...refused('429'), pauseMs: 60_000 } as Outcome);
    expect(destinations.obstacle(HERE)).toBeNull();
  });
});

describe('a pause is a stop sign', () => {
  it.each([
    { scope: 'channel' as const, target: 'rabbitmq' },
    { scope: 'destination' as const, target: 'rabbitmq inventory.exchange inventory.deduct' },
  ])('when a $scope is paused, then its messages are put off for it until the pause ends', (pause) => {
    destinations.setPauses([pause]);
    expect(destinations.obstacle(HERE)).toMatchObject({ parkedFor: pause.target });
    expect(destinations.setPauses([])).toEqual([pause]);
    expect(destinations.obstacle(HERE)).toBeNull();
  });
});
