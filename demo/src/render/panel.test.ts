import { stripVTControlCharacters } from 'node:util';

import type { LiveView } from '../live/live-view.js';
import { createPaint } from './paint.js';
import { liveLine, panelLines } from './panel.js';

const VIEW: LiveView = {
  stage: 'load',
  ...{ seconds: 23.4, totalSeconds: 65 },
  orders: { perSecond: 1_001.2, ok: 23_004, fail: 0, info: 0 },
  confirmed: { perSecond: 0, total: 14_402 },
  waiting: 8_602,
  waitingBefore: [
    { second: 1, count: 0 },
    { second: 15, count: 600 },
    { second: 23, count: 8_602 },
  ],
  latencyMs: { p50: 8.24, p99: 141 },
  sentBy: [
    { name: 'fast path', perSecond: 0 },
    { name: 'relay-1', perSecond: null },
  ],
  processes: [
    { name: 'order', state: 'up' },
    { name: 'inventory', state: 'up' },
    { name: 'relay-1', state: 'starting' },
    { name: 'broker', state: 'down' },
    { name: 'order db', state: 'up' },
    { name: 'inventory db', state: 'up' },
  ],
};

describe('the panel', () => {
  it('when it is drawn, then it says who is up, what goes in and out, and what waits', () => {
    expect(panelLines(VIEW, 80, createPaint(false))).toMatchInlineSnapshot(`
      [
        "  second 23 of 65     ━━━━━━━━━━━━━━━━━━━━━─────────────────────────────────────",
        "",
        "  ● order   ● inventory   ◌ relay-1   ✗ broker   ● order db   ● inventory db",
        "",
        "  orders taken         1,001/s     23,004",
        "  orders confirmed         0/s     14,402",
        "  messages sent by    fast path 0/s   relay-1 –",
        "  answered within     p50 8.2 ms   p99 141 ms",
        "  waiting to be sent                      █                                     ",
        "     8,602                                █                                     ",
        "                      ▁▁▁▁▁▁▁▁▁▁▁▁▁▂▂▂▂▂▂▂█                                     ",
      ]
    `);
  });

  it.each([60, 80])('when the terminal has %i columns, then no line is longer, with and without colours', (width) => {
    for (const colour of [true, false]) {
      const lines = panelLines({ ...VIEW, orders: { ...VIEW.orders, fail: 12_345 } }, width, createPaint(colour));
      for (const line of lines) expect(stripVTControlCharacters(line).length).toBeLessThanOrEqual(width);
      expect(lines.join('\n')).not.toContain('…');
    }
  });

  it('when there are colours, then the texts are the same', () => {
    const plain = panelLines(VIEW, 80, createPaint(false));
    expect(panelLines(VIEW, 80, createPaint(true)).map(stripVTControlCharacters)).toEqual(plain);
  });

  it('when the load is over, then it says what is waited for', () => {
    expect(panelLines({ ...VIEW, stage: 'settling' }, 80, createPaint(false))[0]).toBe(
      '  second 23           waiting until all is final …',
    );
  });
});

describe('the line of a log', () => {
  it('when something is down, then it is named', () => {
    expect(liveLine(VIEW)).toBe(
      ' 23 s  orders 1,001/s  confirmed 0/s  waiting 8,602  p50 8.2 ms p99 141 ms  down: relay-1, broker',
    );
  });

  it('when a number is not known, then none is shown', () => {
    expect(liveLine({ ...VIEW, stage: 'books', waiting: null, processes: [] })).toBe(
      ' 23 s  reading the books  confirmed 0/s  waiting ?',
    );
  });
});
