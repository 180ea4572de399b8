import { CounterTotals, readCounters } from './counters.js';

const METRICS = `# TYPE counterfoil_messages_settled_total counter
counterfoil_messages_settled_total{via="fast-path",to="SENT"} 120
counterfoil_messages_settled_total{via="fast-path",to="PENDING"} 3
counterfoil_messages_settled_total{to="SENT",via="relay"} 4
counterfoil_messages_consumed_total 77
`;

describe('the counters of the processes', () => {
  it('when a metrics page is read, then only what was sent and consumed counts', () => {
    expect(readCounters(METRICS)).toEqual({ sentByFastPath: 120, sentByRelay: 4, consumed: 77 });
    expect(readCounters('')).toEqual({ sentByFastPath: 0, sentByRelay: 0, consumed: 0 });
  });

  it('when a process starts again at 0, then what it counted before is kept', () => {
    const totals = new CounterTotals();
    totals.record('relay-1', { sentByFastPath: 0, sentByRelay: 10, consumed: 0 });
    totals.record('relay-1', { sentByFastPath: 0, sentByRelay: 2, consumed: 0 });
    totals.record('relay-2', { sentByFastPath: 0, sentByRelay: 5, consumed: 0 });
    expect(totals.of(['relay-1', 'relay-2']).sentByRelay).toBe(17);
    expect(totals.of(['relay-2']).sentByRelay).toBe(5);
  });
});
