import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { eventually, freePort, OtlpReceiver, servers, TestBroker } from '@counterfoil/message-table/testkit';
import type { ArrivedSpan } from '@counterfoil/message-table/testkit';
import { startStack, type ServiceProcess, type Stack } from '@counterfoil/stack';

import { ServiceDatabases } from '../../testkit/service-databases.js';
import { FailPoints } from '../../world/fail-points.js';
import { mainOf } from '../../world/main-of.js';

// Runs from dist/: what is preloaded wraps the built modules of a process.
const FAIL_POINTS = join(__dirname, '..', '..', '..', 'dist', 'fail-points', 'preload.js');
const LOADED_MODULES = join(__dirname, 'loaded-modules.cjs');

const QUICK = {
  ...{ LOG_LEVEL: 'info', OTEL_BSP_SCHEDULE_DELAY: '50', OTEL_EXPORTER_OTLP_TIMEOUT: '500' },
  ...{ SENDING_LEASE_MS: '1000', ATTEMPT_TIMEOUT_MS: '500', RELAY_RATE: '0', RELAY_POLL_MS: '20' },
};

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CLIENT = 'b7ad6b7169203331';

/** The four processes of ours, on databases and a vhost of their own, and a collector for their traces. */
export class TracedSystem implements AsyncDisposable {
  readonly services = new Map<string, ServiceProcess>();
  readonly failPoints: FailPoints;
  private readonly folder = mkdtempSync(join(tmpdir(), 'traces-'));

  private constructor(
    readonly databases: ServiceDatabases,
    private readonly broker: TestBroker,
    private readonly stack: Stack,
    readonly collector: OtlpReceiver,
  ) {
    this.failPoints = new FailPoints(this.folder, (name) => this.services.get(name)?.pid);
  }

  static async open(): Promise<TracedSystem> {
    const [databases, broker, stack, collector] = await Promise.all([
      ServiceDatabases.create(),
      TestBroker.open(servers(process.env), 'traces'),
      startStack({ broker: false, databases: [] }),
      OtlpReceiver.start(),
    ]);
    return new TracedSystem(databases, broker, stack, collector);
  }

  /** @returns when all are ready, and there is something to sell */
  async start(settings: Record<string, string>, endpoint = this.collector.url): Promise<void> {
    const [orderDb = ''] = this.databases.urls.orderDbs;
    const { inventoryDb } = this.databases.urls;
    const inventoryPort = await freePort();
    const inventory = `127.0.0.1:${String(inventoryPort)}`;
    const http = { INVENTORY_URL: `http://${inventory}`, HTTP_ALLOW: inventory, HTTP_ALLOW_PRIVATE: inventory };
    const common = { ...QUICK, AMQP_URL: this.broker.url(), OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...settings };
    const start = async (name: string, workspace: string, own: Record<string, string>, port?: number) => {
      const env = { ...common, ...own, ...this.failPoints.environment(name), LOADED_FILE: this.loadedFile(name) };
      const nodeArgs = [FAIL_POINTS, LOADED_MODULES].flatMap((file) => ['--require', file]);
      const spec = { name, script: mainOf(workspace), env, nodeArgs, ...(port === undefined ? {} : { port }) };
      this.services.set(name, await this.stack.startService(spec));
    };
    await Promise.all([
      start('inventory-service', 'inventory-service', { INVENTORY_DB_URL: inventoryDb }, inventoryPort),
      start('order-service', 'order-service', { ORDER_DB_URL: orderDb, ...http }),
      start('order-relay', 'relay', { DB_URL: orderDb, ...http }),
      start('inventory-relay', 'relay', { DB_URL: inventoryDb }),
    ]);
    const product = { method: 'PUT', body: '{"name":"a","stock":10}', headers: { 'content-type': 'application/json' } };
    await fetch(`${this.service('inventory-service').url}/products/1`, product);
  }

  service(name: string): ServiceProcess {
    const found = this.services.get(name);
    if (found === undefined) throw new Error(`There is no ${name}`);
    return found;
  }

  /** As a client that traces does. */
  placeOrder(): Promise<Response> {
    return fetch(`${this.service('order-service').url}/orders`, {
      method: 'POST',
      body: '{"productId":1,"quantity":2}',
      headers: { 'content-type': 'application/json', traceparent: `00-${TRACE_ID}-${CLIENT}-01` },
    });
  }

  /** Resolves when the one order of the client is CONFIRMED. */
  async untilConfirmed(): Promise<void> {
    await eventually(async () => {
      const [rows] = await this.databases.orders.query('SELECT status FROM orders');
      return (rows as { status: string }[])[0]?.status === 'CONFIRMED';
    }, 30_000);
  }

  /** The headers that are stored with the messages of the order database. */
  async storedHeaders(): Promise<(string | null)[]> {
    const [rows] = await this.databases.orders.query('SELECT headers FROM producer_message');
    return (rows as { headers: string | null }[]).map(({ headers }) => headers);
  }

  /** The spans of the client's trace as lines: who, what, and below what. */
  async tree(count: number): Promise<string[]> {
    const spans = await eventually(() => {
      const arrived = this.collector.ofTrace(TRACE_ID);
      return arrived.length >= count ? arrived : null;
    }, 30_000);
    return spans.map((span) => lineOf(span, spans)).sort();
  }

  /** Asks the process to end, and says how it did and which packages of OpenTelemetry it had loaded. */
  async end(name: string): Promise<{ code: number | null; loaded: string[] }> {
    const service = this.service(name);
    await service.stop();
    const { code } = await service.exited;
    return { code, loaded: JSON.parse(readFileSync(this.loadedFile(name), 'utf8')) as string[] };
  }

  private loadedFile(name: string): string {
    return join(this.folder, `${name}.loaded`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stack.stop();
    await this.collector[Symbol.asyncDispose]();
    await this.broker.close();
    await this.databases[Symbol.asyncDispose]();
    rmSync(this.folder, { recursive: true });
  }
}

function lineOf({ service, name, parentSpanId }: ArrivedSpan, all: readonly ArrivedSpan[]): string {
  const parent = all.find(({ spanId }) => spanId === parentSpanId)?.name;
  const below = parent ?? (parentSpanId === CLIENT ? 'the client' : 'what did not arrive');
  // A port of this run.
  return `${service}: ${name} < ${below}`.replace(/127\.0\.0\.1:\d+/g, 'inventory');
}
