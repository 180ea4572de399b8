import type { Stage, StageContext } from '../data-path/stage.js';
import { Bandwidth } from './bandwidth.js';
import { Latency } from './latency.js';
import { LimitData } from './limit-data.js';
import { Passing } from './passing.js';
import { ResetPeer } from './reset-peer.js';
import { Slicer } from './slicer.js';
import { SlowClose } from './slow-close.js';
import { Timeout } from './timeout.js';
import type { ToxicKind } from './toxic.js';

interface Details<A> {
  removalCloses?: boolean;
  invalid?: (attributes: A) => string | undefined;
}

/** Attributes that are checked against the defaults' names are an `A`. */
function kind<A extends Record<keyof A, number>>(
  defaults: A,
  StageOf: new (attributes: A, context: StageContext) => Stage,
  { removalCloses = false, invalid = () => undefined }: Details<A> = {},
): ToxicKind {
  return {
    defaults: { ...defaults },
    removalCloses,
    invalid: (attributes) => invalid(attributes as A),
    stage: (attributes, context) => new StageOf(attributes as A, context),
  };
}

const noop: ToxicKind = {
  defaults: {},
  removalCloses: false,
  invalid: () => undefined,
  stage: (_, context) => new Passing(context),
};

/** The types by their names in the API. The original dies of a slicer that cuts into nothing; here it is refused. */
export const TOXIC_KINDS: ReadonlyMap<string, ToxicKind> = new Map([
  ['latency', kind({ latency: 0, jitter: 0 }, Latency)],
  ['bandwidth', kind({ rate: 0 }, Bandwidth)],
  ['slow_close', kind({ delay: 0 }, SlowClose)],
  ['timeout', kind({ timeout: 0 }, Timeout, { removalCloses: true })],
  ['reset_peer', kind({ timeout: 0 }, ResetPeer)],
  ['limit_data', kind({ bytes: 0 }, LimitData)],
  ['noop', noop],
  ['slicer', kind({ average_size: 0, size_variation: 0, delay: 0 }, Slicer, { invalid: uselessSlicer })],
]);

function uselessSlicer(attributes: { average_size: number; size_variation: number }): string | undefined {
  if (attributes.average_size < 1) return 'average_size must be at least 1';
  if (attributes.size_variation >= attributes.average_size) return 'size_variation must be less than average_size';
  return undefined;
}
