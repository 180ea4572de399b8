// How long the fault proxy's API takes to answer while many connections are busy: node …/measure/main.js --help
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as rest } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { coresBetween, sampleCpu, type CpuSample } from '@counterfoil/loadtest';

import { startTraffic } from './traffic.js';

const USAGE = `Usage: node chaos/dist/fault-proxy/testkit/measure/main.js [options]

  --connections N  busy at the same time (500)
  --seconds N      measured (10)
  --paced N        bytes a second of each connection; left out: as fast as they are read
  --proxy FILE     main.js of another build of the fault proxy

Ends with 0 when every call was answered within 50 ms, else with 1.`;

const WARM_UP_MS = 2_000;
const CALL_EVERY_MS = 20;
const TARGET_MS = 50;
const OURS = join(__dirname, '..', '..', 'main.js');

interface Opening {
  readonly port: number;
  readonly connections: number;
  readonly bytesASecond: number | null;
}

/** The part that runs in a process of its own: what it does must not hold up the clock of the calls. */
async function beTraffic(): Promise<void> {
  const traffic = await startTraffic();
  process.on('message', (asked: Opening | 'received') => {
    if (asked === 'received') return void process.send?.(traffic.receivedBytes());
    void traffic.open(asked.port, asked.connections, asked.bytesASecond).then(() => process.send?.('open'));
  });
  process.on('disconnect', () => process.exit());
  process.send?.(traffic.upstream);
}

async function measure(): Promise<number> {
  const { values } = parseArgs({
    options: {
      connections: { type: 'string', default: '500' },
      seconds: { type: 'string', default: '10' },
      paced: { type: 'string' },
      proxy: { type: 'string', default: OURS },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return say(USAGE, 0);
  const proxy = spawn(process.execPath, [values.proxy, '--host', '127.0.0.1', '--port', '0', '--seed', '1'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const traffic = fork(__filename, ['traffic']);
  try {
    const api = `http://127.0.0.1:${await portSaid(proxy)}/proxies`;
    const port = await makeProxy(api, await answerOf<string>(traffic));
    const bytesASecond = values.paced === undefined ? null : Number(values.paced);
    traffic.send({ port, connections: Number(values.connections), bytesASecond } satisfies Opening);
    await answerOf(traffic);
    await rest(WARM_UP_MS);
    const before = await look(proxy, traffic);
    const tookMs = await callFor(api, Number(values.seconds) * 1000);
    return tell(tookMs, before, await look(proxy, traffic));
  } finally {
    traffic.disconnect();
    proxy.kill('SIGTERM');
  }
}

/** Calls that only look and calls that change every connection, in turn. @returns what each took, ms, shortest first */
async function callFor(api: string, forMs: number): Promise<number[]> {
  const toxic = JSON.stringify({ type: 'noop', name: 'measured', stream: 'upstream' });
  const calls = [
    () => fetch(`${api}/measured/effects`),
    () => fetch(`${api}/measured/toxics`, { method: 'POST', body: toxic }),
    () => fetch(`${api}/measured/toxics/measured`, { method: 'DELETE' }),
  ];
  const tookMs: number[] = [];
  const untilMs = performance.now() + forMs;
  while (performance.now() < untilMs) {
    for (const call of calls) {
      const calledMs = performance.now();
      const answer = await call();
      await answer.arrayBuffer();
      if (!answer.ok) throw new Error(`${answer.url} says ${answer.status}`);
      tookMs.push(performance.now() - calledMs);
      await rest(CALL_EVERY_MS);
    }
  }
  return tookMs.sort((a, b) => a - b);
}

interface Look {
  readonly bytes: number;
  readonly cpu: CpuSample;
}

/** What came out of the proxy so far, and what it has used for it. */
async function look(proxy: ChildProcess, traffic: ChildProcess): Promise<Look> {
  traffic.send('received');
  const bytes = await answerOf<number>(traffic);
  return { bytes, cpu: sampleCpu([{ name: 'proxy', pid: () => proxy.pid }], performance.now()) };
}

function tell(tookMs: readonly number[], from: Look, to: Look): number {
  const at = (part: number): number => tookMs[Math.min(tookMs.length - 1, Math.floor(part * tookMs.length))] ?? NaN;
  const figures = [at(0.5), at(0.99), at(1)].map((ms) => `${ms.toFixed(1)} ms`);
  const calls = `${tookMs.length} calls: p50 ${figures[0]}, p99 ${figures[1]}, longest ${figures[2]}`;
  const megabytesASecond = (to.bytes - from.bytes) / 1000 / (to.cpu.atMs - from.cpu.atMs);
  const cores = coresBetween(from.cpu, to.cpu).get('proxy') ?? NaN;
  // On a machine that others use as well only the latter can be compared.
  const each = `${(megabytesASecond / cores).toFixed(0)} MB for each second of processor time`;
  return say(`${calls}; ${megabytesASecond.toFixed(0)} MB/s went through, ${each}`, at(1) < TARGET_MS ? 0 : 1);
}

function say(text: string, code: number): number {
  console.log(text);
  return code;
}

async function makeProxy(api: string, upstream: string): Promise<number> {
  const body = JSON.stringify({ name: 'measured', listen: '127.0.0.1:0', upstream });
  const made = (await (await fetch(api, { method: 'POST', body })).json()) as { listen: string };
  return Number(made.listen.split(':').at(-1));
}

/** From its first line. */
async function portSaid({ stdout }: ChildProcess): Promise<number> {
  if (stdout === null) throw new Error('The fault proxy has no output');
  const [line] = (await once(createInterface({ input: stdout }), 'line')) as [string];
  return (JSON.parse(line) as { port: number }).port;
}

async function answerOf<T>(child: ChildProcess): Promise<T> {
  const [answer] = (await once(child, 'message')) as [T];
  return answer;
}

if (process.argv[2] === 'traffic') void beTraffic();
else {
  measure().then(
    (code) => process.exit(code),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
}
