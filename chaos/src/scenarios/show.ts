import { numbered, type Scenario, type ScenarioOptions } from './scenario.js';

/**
 * A relay has nothing in its hands while the fast path sends everything, so the broker goes first: what is ordered
 * meanwhile is the relays' work. Each of them may send a quarter of the load, which on two cores leaves room for the
 * orders that still come.
 */
export const show: Scenario = {
  name: 'show',
  story:
    'What npm run demo shows: the broker is killed and a backlog grows, the only relay is killed at work, and three drain it.',
  inCi: false,
  plan: (options) => {
    const { brokerMs, awayMs, relayMs, scaleMs } = times(options);
    const rate = Math.max(50, Math.round(options.rate / 4));
    return {
      // A batch has to be through well before its lease ends.
      settings: { RELAY_RATE: String(rate), RELAY_BATCH: String(Math.round(0.4 * rate)) },
      world: { relays: 1 },
      faults: numbered([
        { atMs: brokerMs, fault: { kind: 'kill', target: 'broker', backAfterMs: awayMs } },
        {
          atMs: relayMs,
          after: 'f1',
          fault: { kind: 'crash-at', target: 'relay-1', step: AT_WORK, backAfterMs: 4_000 },
        },
        { atMs: scaleMs, after: 'f1', fault: { kind: 'scale', target: 'relay', to: 3 } },
      ]),
      requiredCells: [`${AT_WORK} × kill`],
      notJudged: { I15: 'a show runs on machines of any size: its times are told, and not judged' },
    };
  },
};

/** What it holds then has to be sent once more, and the inbox has to notice. */
const AT_WORK = 'after-confirm-before-settle';

/** Parts of the load, but never so short that the broker, which takes some seconds to start, is not back in between. */
function times({ seconds }: ScenarioOptions) {
  const brokerMs = Math.round(80 * seconds);
  const awayMs = Math.min(5_500, Math.round(100 * seconds));
  const relayMs = Math.max(Math.round(320 * seconds), brokerMs + awayMs + 3_000);
  const scaleMs = relayMs + Math.max(2_000, Math.round(100 * seconds));
  return { brokerMs, awayMs, relayMs, scaleMs };
}
