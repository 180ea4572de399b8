import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

import { httpReceiver, tcpReceiver } from '../channels/http/testing/receiver.js';
import { eventually } from '../testkit/eventually.js';
import { OtlpReceiver } from '../testkit/otlp-receiver.js';

// Runs from dist/, in a process of its own: the SDK reads the environment of its process.
const DIST = join(__dirname, '..', '..', 'dist');
const SCRIPT = join(__dirname, '..', 'testkit', 'traced-process.cjs');
const QUICK = { OTEL_BSP_SCHEDULE_DELAY: '10', OTEL_EXPORTER_OTLP_TIMEOUT: '200' };

interface Said {
  readonly collects?: boolean;
  readonly arriving?: boolean;
  readonly reason?: string;
  readonly stoppedInMs?: number;
}

class TracedProcess implements AsyncDisposable {
  readonly said: Said[] = [];
  /** What it wrote that nobody asked for. */
  errors = '';

  private constructor(private readonly child: ChildProcess) {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      const lines = (text + chunk.toString()).split('\n');
      text = lines.pop() ?? '';
      this.said.push(...lines.map((line) => JSON.parse(line) as Said));
    });
    child.stderr?.on('data', (chunk: Buffer) => (this.errors += chunk.toString()));
  }

  static async start(environment: Record<string, string>): Promise<TracedProcess> {
    const env = { PATH: process.env['PATH'], DIST, ...QUICK, ...environment };
    const traced = new TracedProcess(spawn(process.execPath, [SCRIPT], { env, stdio: ['ignore', 'pipe', 'pipe'] }));
    await eventually(() => traced.said.length > 0);
    return traced;
  }

  /** @returns its exit code, and how long stopping took */
  async stop(): Promise<{ code: unknown; tookMs: number }> {
    const closed = once(this.child, 'close');
    this.child.kill();
    const [code] = (await closed) as [unknown];
    return { code, tookMs: this.said.at(-1)?.stoppedInMs ?? Infinity };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.child.kill('SIGKILL');
    await once(this.child, 'exit');
  }
}

describe('a process that traces', () => {
  it('when it is told where to, then its spans arrive there under its name, the last ones when it stops', async () => {
    await using collector = await OtlpReceiver.start();
    await using traced = await TracedProcess.start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    await eventually(() => collector.spans.length > 0);
    expect(collector.spans[0]).toMatchObject({ service: 'shop', resource: { 'service.instance.id': 'shop-1' } });
    expect((await traced.stop()).code).toBe(0);
    expect(collector.spans.at(-1)).toMatchObject({ name: 'last' });
    expect([traced.said.length, traced.errors]).toEqual([2, '']);
  });

  it('when the environment says more, then that is heeded', async () => {
    await using collector = await OtlpReceiver.start();
    await using traced = await TracedProcess.start({
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_SERVICE_NAME: 'another' },
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    });
    await traced.stop();
    expect(collector.spans[0]).toMatchObject({
      ...{ service: 'another', resource: { 'deployment.environment.name': 'test' } },
    });
  });

  it('when the collector is away and comes, then each is told once, and nothing else happens', async () => {
    const broken = await tcpReceiver((socket) => socket.destroy());
    await using traced = await TracedProcess.start({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${String(broken.port)}`,
    });
    await eventually(() => broken.connections() > 3);
    await broken[Symbol.asyncDispose]();
    await using collector = await OtlpReceiver.start(broken.port);
    await eventually(() => traced.said.some(({ arriving }) => arriving === true));
    await traced.stop();
    expect(traced.said.slice(1, -1)).toEqual([
      { arriving: false, reason: expect.stringMatching(/\w/) },
      { arriving: true, reason: '' },
    ]);
    expect(collector.spans.length).toBeGreaterThan(0);
    expect(traced.errors).toBe('');
  });

  it('when the collector does not answer, then stopping takes a second and no more', async () => {
    await using silent = await httpReceiver(() => undefined);
    const endpoint = `http://127.0.0.1:${String(silent.port)}`;
    await using traced = await TracedProcess.start({
      ...{ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_TIMEOUT: '20000' },
    });
    await eventually(() => silent.connections() > 0);
    const { code, tookMs } = await traced.stop();
    expect(code).toBe(0);
    expect(tookMs).toBeLessThan(5_000);
  });
});

describe('a process that traces nothing', () => {
  it.each<Record<string, string>>([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318', OTEL_SDK_DISABLED: 'true' },
  ])('when the environment has %j, then nobody collects', async (environment) => {
    await using traced = await TracedProcess.start(environment);
    expect(traced.said).toEqual([{ collects: false }]);
    expect((await traced.stop()).code).toBe(0);
  });
});
