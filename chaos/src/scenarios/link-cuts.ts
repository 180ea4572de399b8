import type { Fault, Link } from '../plan.js';
import { numbered, type Scenario, type ScenarioPlan } from './scenario.js';

type Cut = Extract<Fault, { kind: 'cut' }>;

/** The same cut a few times over the run. */
const cuts = (
  cut: Omit<Cut, 'kind'>,
  parts: readonly number[],
  seconds: number,
  plan: Omit<ScenarioPlan, 'faults'> = {},
): ScenarioPlan => ({
  ...plan,
  world: { ...plan.world, links: plan.world?.links ?? [cut.link] },
  faults: numbered(parts.map((part) => ({ atMs: Math.round(part * seconds * 1000), fault: { kind: 'cut', ...cut } }))),
});

const RELAY_WORKS = { settings: { FAST_PATH: 'off', RELAY_RATE: '1000' } };
/** See GENTLE_CATCH_UP; these two carry the load itself as well. */
const CATCHES_UP = { settings: { FAST_PATH: 'off', RELAY_RATE: '650' } };

export const halfOpen: Scenario = {
  name: 'half-open',
  story:
    'The line to the broker swallows bytes in both directions for longer than the heartbeat, and the sockets stay open.',
  inCi: false,
  plan: ({ seconds }) =>
    cuts({ link: 'relay→broker', how: 'swallow', direction: 'both', forMs: 7_000 }, [0.2], seconds, CATCHES_UP),
};

export const confirmLost: Scenario = {
  name: 'confirm-lost',
  story:
    'What the broker answers to the relay is lost: messages arrive, their confirms do not, and they are sent again.',
  inCi: false,
  plan: ({ seconds }) =>
    cuts(
      { link: 'relay→broker', how: 'swallow', direction: 'downstream', forMs: 3_000 },
      [0.2, 0.6],
      seconds,
      RELAY_WORKS,
    ),
};

export const ackLost: Scenario = {
  name: 'ack-lost',
  story: 'Acknowledgements of the inventory are lost after its COMMIT: the broker delivers again, the notes know it.',
  inCi: false,
  plan: ({ seconds }) =>
    cuts({ link: 'inventory→broker', how: 'reset', direction: 'upstream', forMs: 1_500 }, [0.2, 0.5, 0.8], seconds),
};

const COMMIT_LINKS: readonly Link[] = ['order-service→order-db', 'inventory→inventory-db'];

export const commitUnknown: Scenario = {
  name: 'commit-unknown',
  story: 'Answers of both databases are lost, COMMIT among them: whoever does not know writes the same rows again.',
  inCi: false,
  plan: ({ seconds }) => ({
    world: { links: COMMIT_LINKS },
    faults: numbered(
      [0.15, 0.4, 0.65].flatMap((part) =>
        COMMIT_LINKS.map((link, index) => ({
          atMs: Math.round(part * seconds * 1000) + index * 1_500,
          fault: { kind: 'cut' as const, link, how: 'reset' as const, direction: 'downstream' as const, forMs: 500 },
        })),
      ),
    ),
  }),
};
