import { join } from 'node:path';

import {
  createHttp,
  createOperations,
  createServiceParts,
  databaseReadiness,
  pick,
  required,
  SERVICE_RULES,
  SERVICE_SETTINGS,
  workerIdReadiness,
} from '@counterfoil/message-table';
import type { MessageTable, Parts, ProcessContext, ProcessDefinition } from '@counterfoil/message-table';

import { answerEffect } from './answer-effect.js';
import { bookRoom } from './book-room.js';
import { ANSWER, topology } from './routes.js';

// #region settings
const settings = {
  ...SERVICE_SETTINGS, // those of the component, each with a default
  ...pick('DB_URL', 'PORT'),
  AMQP_URL: required(SERVICE_SETTINGS.AMQP_URL),
};

export const bookingsService: ProcessDefinition<typeof settings> = {
  name: 'bookings',
  purpose: 'books rooms, and asks the hotel for each',
  settings,
  rules: SERVICE_RULES,
  build,
};
// #endregion settings

// #region build
function build(context: ProcessContext<typeof settings>): Parts {
  const { settings: s, registry } = context;
  const parts = createServiceParts(context, {
    databaseUrl: s.DB_URL,
    topology,
    migrations: join(__dirname, '..', '..', 'migrations'), // your tables, applied after the component's
  });
  const answers = parts.consume({ queue: ANSWER.queue, deadQueue: ANSWER.deadQueue, effect: answerEffect });
  const operations = createOperations({
    loops: [...parts.messages.loops, ...answers.loops],
    registry,
    readiness: [
      databaseReadiness(parts.db, 'database'),
      workerIdReadiness(parts.messages.newId),
      () => (answers.isConsuming() ? null : 'consumer'),
    ],
  });
  const http = createHttp({
    port: s.PORT,
    host: s.LISTEN_HOST,
    handler: (request, response) => {
      if (!operations(request, response)) void take(parts.messages, request.url ?? '').then((a) => answer(response, a));
    },
  });
  return {
    stopDeadlineMs: s.DRAIN_MS,
    services: [http.listen, ...parts.services, ...answers.services, http.traffic], // stopped in reverse
  };
}
// #endregion build

type Taken = { readonly status: 201; readonly id: string } | { readonly status: 404 | 503 };

/** `POST /book/<room>` */
async function take(messages: MessageTable, url: string): Promise<Taken> {
  const room = /^\/book\/([\w-]{1,20})$/.exec(url)?.[1];
  if (room === undefined) return { status: 404 };
  return bookRoom(messages, room).then(
    (id) => ({ status: 201, id }),
    () => ({ status: 503 }),
  );
}

function answer(response: Parameters<Parameters<typeof createHttp>[0]['handler']>[1], taken: Taken): void {
  response.writeHead(taken.status, { 'content-type': 'application/json' }).end(JSON.stringify(taken));
}
