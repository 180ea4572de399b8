import { join } from 'node:path';

import { DEDUCT, topology } from '@counterfoil/contracts';
import {
  createHttp,
  createOperations,
  createServiceParts,
  databaseReadiness,
  HttpIntake,
  SERVICE_RULES,
  workerIdReadiness,
  type Parts,
  type ProcessContext,
  type ProcessDefinition,
} from '@counterfoil/message-table';

import { deductEffect } from './deduct-effect.js';
import { createHttpApp } from './http-app.js';
import { settings } from './settings.js';

export const inventoryService: ProcessDefinition<typeof settings> = {
  name: 'inventory-service',
  purpose: 'deducts stock once per order and sends the decision',
  settings,
  rules: SERVICE_RULES,
  build,
};

const MIGRATIONS = join(__dirname, '..', 'migrations');

function build(context: ProcessContext<typeof settings>): Parts {
  const { settings: s, registry, log } = context;
  const parts = createServiceParts(context, {
    databaseUrl: s.INVENTORY_DB_URL,
    topology: topology(),
    migrations: MIGRATIONS,
  });
  const { db, messages } = parts;
  const { queue, deadQueue } = DEDUCT;
  const deductions = parts.consume({ queue, deadQueue, effect: deductEffect(messages.acceptor, s.MAX_RETRY_COUNT) });
  const operations = createOperations({
    loops: [...messages.loops, ...deductions.loops],
    registry,
    readiness: [
      () => (http.isOpen() ? null : 'starting or stopping'),
      databaseReadiness(db, 'inventory database'),
      // Without one no deduction can be decided: the decision's message needs an id.
      workerIdReadiness(messages.newId),
      () => (deductions.isConsuming() ? null : `consumer of ${queue}`),
    ],
  });
  const { inbox } = deductions;
  const intake = new HttpIntake({ inbox, batch: s.CONSUMER_BATCH });
  const handler = createHttpApp({
    deductions: {
      effect: inbox.effect,
      take: (message) => intake.take(message),
      closedBecause: () => (http.isOpen() ? null : 'The service is starting or stopping'),
    },
    ...{ db, operations, log },
  });
  const http = createHttp({ port: s.PORT, host: s.LISTEN_HOST, handler });
  return {
    stopDeadlineMs: s.DRAIN_MS,
    services: [http.listen, ...parts.services, ...deductions.services, http.traffic],
  };
}
