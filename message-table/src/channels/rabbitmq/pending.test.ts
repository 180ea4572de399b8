import type { Outcome } from '../outcome.js';
import { Answers, Pending, type Flight } from './pending.js';

const LIMIT_MS = 1_000;

interface TestFlight extends Flight {
  readonly outcomes: Outcome[];
}

function flight(attempt: string, destination = 'x/key', startedMs = 0): TestFlight {
  const outcomes: Outcome[] = [];
  return { attempt, destination, startedMs, outcomes, settle: (outcome) => void outcomes.push(outcome) };
}

function pending(): Pending<TestFlight> {
  return new Pending(new Answers());
}

describe('Each attempt is settled exactly once', () => {
  it('when it is acked, then it is confirmed, and what comes later finds nothing', () => {
    const flights = pending();
    const one = flight('1:1');
    const written = flights.add(one);
    flights.acked(written);
    flights.acked(written);
    flights.nacked(written);
    flights.endAll({ kind: 'unknown', reason: 'closed', suspect: false });
    expect(one.outcomes).toEqual([{ kind: 'confirmed' }]);
    expect(flights.size).toBe(0);
  });

  it('AMQP-01: when it timed out, then a late confirm changes nothing, not even for the next version', () => {
    const flights = pending();
    const first = flight('1:1');
    const second = flight('1:2', 'x/key', 900);
    const written = flights.add(first);
    flights.add(second);
    flights.expire(LIMIT_MS, LIMIT_MS);
    flights.acked(written);
    expect(first.outcomes).toEqual([{ kind: 'unknown', reason: 'time-out', suspect: false }]);
    expect(second.outcomes).toEqual([]);
  });

  it('when the channel ends, then all that is in flight ends with it', () => {
    const flights = pending();
    const both = [flight('1:1'), flight('2:1')];
    for (const one of both) flights.add(one);
    flights.endAll({ kind: 'unknown', reason: '404', suspect: true });
    expect(both.flatMap(({ outcomes }) => outcomes)).toHaveLength(2);
  });
});

describe('A returned message was not stored', () => {
  it('AMQP-02: when the return comes before its ack, then it alone is refused', () => {
    const flights = pending();
    const [a, b] = [flight('1:1'), flight('2:1')];
    const [first, second] = [flights.add(a), flights.add(b)];
    expect(flights.returned('2:1', 'NO_ROUTE')).toBe(b);
    flights.acked(first);
    flights.acked(second);
    expect(a.outcomes).toEqual([{ kind: 'confirmed' }]);
    expect(b.outcomes).toEqual([{ kind: 'refused', reason: 'unroutable: NO_ROUTE', permanent: false }]);
  });

  it('AMQP-02: when the return is of an earlier attempt of the same message, then the present one is not touched', () => {
    const flights = pending();
    const present = flight('1:2');
    const written = flights.add(present);
    expect(flights.returned('1:1', 'NO_ROUTE')).toBeNull();
    flights.acked(written);
    expect(present.outcomes).toEqual([{ kind: 'confirmed' }]);
  });
});

describe("A nack is the message's own only when its destination takes others", () => {
  it('when one that was written later has been confirmed, then it is refused', () => {
    const flights = pending();
    const nacked = flight('1:1');
    const written = flights.add(nacked);
    flights.acked(flights.add(flight('2:1')));
    flights.nacked(written);
    expect(nacked.outcomes).toMatchObject([{ kind: 'refused', permanent: false }]);
  });

  it('when its queue loses its leader behind a confirm of one that was written earlier, then it is unknown and uses no attempt', () => {
    const flights = pending();
    const earlier = flights.add(flight('1:1'));
    const nacked = flight('2:1');
    const written = flights.add(nacked);
    flights.acked(earlier);
    flights.nacked(written);
    expect(nacked.outcomes).toMatchObject([{ kind: 'unknown', suspect: false }]);
  });

  it('when only another destination took one, then it is unknown and uses no attempt', () => {
    const flights = pending();
    const nacked = flight('1:1');
    const written = flights.add(nacked);
    flights.acked(flights.add(flight('2:1', 'x/other')));
    flights.nacked(written);
    expect(nacked.outcomes).toMatchObject([{ kind: 'unknown', suspect: false }]);
  });
});

describe("A time-out is the message's own only when its destination took others in its stead all the while", () => {
  const HALF_MS = LIMIT_MS / 2;

  it('when later ones were confirmed in both halves of its time, then it is refused', () => {
    const flights = pending();
    const stuck = flight('1:1');
    flights.add(stuck);
    flights.acked(flights.add(flight('2:1')));
    flights.expire(HALF_MS, LIMIT_MS);
    flights.acked(flights.add(flight('3:1', 'x/key', HALF_MS)));
    expect(flights.expire(LIMIT_MS, LIMIT_MS)).toBe(false);
    expect(stuck.outcomes).toEqual([{ kind: 'refused', reason: 'time-out, others were confirmed', permanent: false }]);
  });

  it('when an outage begins after a later one was confirmed, then it is unknown', () => {
    const flights = pending();
    const stuck = flight('1:1');
    flights.add(stuck);
    flights.acked(flights.add(flight('2:1')));
    flights.expire(HALF_MS, LIMIT_MS);
    flights.expire(LIMIT_MS, LIMIT_MS);
    expect(stuck.outcomes).toMatchObject([{ kind: 'unknown' }]);
  });

  it('when an outage ends just before its time is over and later ones are confirmed first, then it is unknown', () => {
    const flights = pending();
    const stuck = flight('1:1');
    flights.add(stuck);
    const later = flights.add(flight('2:1'));
    flights.expire(HALF_MS, LIMIT_MS);
    flights.acked(later);
    flights.expire(LIMIT_MS, LIMIT_MS);
    expect(stuck.outcomes).toMatchObject([{ kind: 'unknown' }]);
  });

  it('when the broker is slow and only earlier ones were confirmed since, then it is unknown', () => {
    const flights = pending();
    const [first, second] = [flights.add(flight('1:1')), flights.add(flight('2:1'))];
    const stuck = flight('3:1');
    flights.add(stuck);
    flights.acked(first);
    flights.expire(HALF_MS, LIMIT_MS);
    flights.acked(second);
    flights.expire(LIMIT_MS, LIMIT_MS);
    expect(stuck.outcomes).toMatchObject([{ kind: 'unknown' }]);
  });

  it('when only another destination confirmed, then it is unknown and the line is alive', () => {
    const flights = pending();
    const stuck = flight('1:1');
    flights.add(stuck);
    flights.acked(flights.add(flight('2:1', 'x/other')));
    expect(flights.expire(LIMIT_MS, LIMIT_MS)).toBe(false);
    expect(stuck.outcomes).toMatchObject([{ kind: 'unknown' }]);
  });

  it('when the confirm was of before, then it is unknown and the line is dead', () => {
    const flights = pending();
    flights.acked(flights.add(flight('2:1')));
    const stuck = flight('1:1');
    flights.add(stuck);
    expect(flights.expire(LIMIT_MS, LIMIT_MS)).toBe(true);
    expect(stuck.outcomes).toMatchObject([{ kind: 'unknown', suspect: false }]);
  });

  it('when it is younger than the limit, then it stays', () => {
    const flights = pending();
    flights.add(flight('1:1', 'x/key', 1));
    expect(flights.expire(LIMIT_MS, LIMIT_MS)).toBe(false);
    expect(flights.size).toBe(1);
  });
});
