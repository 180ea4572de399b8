import { sweepConsumerLeases } from '../consumer/store/sweep.js';
import type { Database } from '../database/database.js';
import { sweepProducerLeases } from '../producer/store/sweep.js';
import { createLoop, jittered, type Loop } from '../service/loop.js';

type Sweep = (db: Database) => Promise<{ released: number; failed: number }>;

const sweepLoop = (name: string, sweep: Sweep, db: Database, leaseMs: number): Loop => {
  const periodMs = Math.min(5_000, leaseMs / 4);
  return createLoop({
    name,
    events: db.events,
    periodMs,
    step: async () => {
      const { released, failed } = await sweep(db);
      return released + failed > 0 ? 0 : jittered(periodMs);
    },
  });
};

/** Runs beside every send task: gives back rows whose sender is gone. */
export const createProducerSweep = (db: Database, leaseMs: number): Loop =>
  sweepLoop('producer-sweep', sweepProducerLeases, db, leaseMs);

/** Runs in every service that consumes: gives back notes whose redelivery never ended. */
export const createConsumerSweep = (db: Database, leaseMs: number): Loop =>
  sweepLoop('consumer-sweep', sweepConsumerLeases, db, leaseMs);
