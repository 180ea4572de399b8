import { join } from 'node:path';

import { DECIDED, decidedRoute, topology } from '@counterfoil/contracts';
import {
  createBacklogGuard,
  createHttp,
  createOperations,
  createServiceParts,
  databaseReadiness,
  workerIdReadiness,
  type Parts,
  type ProcessContext,
  type ProcessDefinition,
} from '@counterfoil/message-table';

import { decisionEffect } from './decision-effect.js';
import { deductionRoute } from './deduction-route.js';
import { createHttpApp } from './http-app.js';
import { placeOrders } from './place-orders.js';
import { rules, settings } from './settings.js';

export const orderService: ProcessDefinition<typeof settings> = {
  name: 'order-service',
  purpose: 'takes orders over HTTP; each order and its message are one transaction',
  settings,
  rules,
  build,
};

const MIGRATIONS = join(__dirname, '..', 'migrations');

function build(context: ProcessContext<typeof settings>): Parts {
  const { settings: s, registry, log } = context;
  const shard = s.ORDER_SHARD;
  const parts = createServiceParts(context, {
    databaseUrl: s.ORDER_DB_URL,
    topology: topology(shard),
    migrations: MIGRATIONS,
  });
  const { db, messages } = parts;
  const { queue, deadQueue } = shard === null ? DECIDED : decidedRoute(shard);
  const decisions = parts.consume({ queue, deadQueue, effect: decisionEffect(s.MAX_RETRY_COUNT) });
  const backlog = createBacklogGuard(db, s.MAX_BACKLOG);
  const { acceptor, newId } = messages;
  const intake = { db, acceptor, newId, route: deductionRoute(s), shard, deadlineMs: s.DB_DEADLINE_MS };
  const operations = createOperations({
    loops: [...messages.loops, ...decisions.loops, backlog.loop],
    registry,
    readiness: [
      () => (http.isOpen() ? null : 'starting or stopping'),
      databaseReadiness(db, 'order database'),
      workerIdReadiness(newId),
      () => (decisions.isConsuming() ? null : `consumer of ${queue}`),
    ],
  });
  const app = createHttpApp({
    db,
    operations,
    log,
    place: (requests) => placeOrders(intake, requests),
    closedBecause: () => (http.isOpen() ? null : 'The service is starting or stopping'),
    backlogFull: backlog.isFull,
  });
  const http = createHttp({ port: s.PORT, host: s.LISTEN_HOST, handler: app });
  return {
    stopDeadlineMs: s.DRAIN_MS,
    services: [http.listen, ...parts.services, ...decisions.services, backlog.loop, http.traffic],
  };
}
