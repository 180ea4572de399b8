import { topology } from '@counterfoil/contracts';
import {
  CHANNEL_SETTINGS,
  createHttp,
  createOperations,
  createRelay,
  createTableWatch,
  databaseReadiness,
  databaseService,
  leaseOutlivesBatch,
  MESSAGE_TABLE_MIGRATIONS,
  migrationService,
  openChannels,
  openDatabase,
  pick,
  privateIsAllowed,
  Problem,
  retryGrows,
  sendProblem,
  someChannel,
  type Parts,
  type ProcessContext,
  type ProcessDefinition,
} from '@counterfoil/message-table';

const settings = {
  ...CHANNEL_SETTINGS,
  ...pick(
    'DB_URL',
    'ORDER_SHARD',
    'LISTEN_HOST',
    'LOG_LEVEL',
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'RELAY_RATE',
    'RELAY_BATCH',
    'RELAY_POLL_MS',
    'RELAY_GROUPS',
    'SENDING_LEASE_MS',
    'UNKNOWN_MAX_AGE_MS',
  ),
  ...pick(
    'RETRY_BASE_MS',
    'RETRY_MAX_MS',
    'RETENTION_SENT_MS',
    'RETENTION_ARCHIVE_DAYS',
    'DB_DEADLINE_MS',
    'DB_LOCK_WAIT_S',
    'DRAIN_MS',
  ),
  PORT: { ...pick('PORT').PORT, fallback: '3003' },
};

export const relay: ProcessDefinition<typeof settings> = {
  name: 'relay',
  purpose: 'sends what waits in one database; run as many as you like',
  settings,
  rules: [leaseOutlivesBatch, retryGrows, someChannel, privateIsAllowed],
  build,
};

/** Two settles, a sweep, the archive and a look at the tables, a health check at once, and some to spare; a claim of each group comes on top. */
const POOL_BESIDE_CLAIMS = 7;
const NOTHING_HERE = new Problem(404, 'not-found', 'There is nothing here; see GET /healthz, /readyz and /metrics');

type Settings = ProcessContext<typeof settings>['settings'];

function build({ settings: s, events, registry, log, processName }: ProcessContext<typeof settings>): Parts {
  const db = openDatabase({
    url: s.DB_URL,
    events,
    poolMax: POOL_BESIDE_CLAIMS + Math.max(1, s.RELAY_GROUPS.length),
    deadlineMs: s.DB_DEADLINE_MS,
    lockWaitS: s.DB_LOCK_WAIT_S,
  });
  const opening = { topology: topology(s.ORDER_SHARD), events, connectionName: processName };
  const { rabbit, channels, services } = openChannels(s, opening);
  const loops = [...createRelay({ ...sending(s), db, channels, processName }), createTableWatch(db)];
  const operations = createOperations({
    loops,
    registry,
    readiness: [
      () => (http.isOpen() ? null : 'starting or stopping'),
      databaseReadiness(db, 'database'),
      () => rabbit?.downReason() ?? null,
    ],
  });
  const http = createHttp({
    port: s.PORT,
    host: s.LISTEN_HOST,
    handler: (request, response) => {
      if (!operations(request, response)) sendProblem(response, NOTHING_HERE);
    },
  });
  return {
    stopDeadlineMs: s.DRAIN_MS,
    services: [
      http.listen,
      databaseService(db),
      migrationService(s.DB_URL, [MESSAGE_TABLE_MIGRATIONS], log),
      ...services,
      ...loops,
      http.traffic,
    ],
  };
}

const sending = (s: Settings) => ({
  retry: { retryBaseMs: s.RETRY_BASE_MS, retryMaxMs: s.RETRY_MAX_MS, unknownPauseMs: s.RETRY_BASE_MS },
  leaseMs: s.SENDING_LEASE_MS,
  attemptTimeoutMs: s.ATTEMPT_TIMEOUT_MS,
  rate: s.RELAY_RATE,
  batch: s.RELAY_BATCH,
  pollMs: s.RELAY_POLL_MS,
  groups: s.RELAY_GROUPS,
  unknownMaxAgeMs: s.UNKNOWN_MAX_AGE_MS,
  breaker: { firstPauseMs: s.BREAKER_PAUSE_MS },
  archive: { retentionMs: s.RETENTION_SENT_MS, archiveDays: s.RETENTION_ARCHIVE_DAYS },
});
