import { appendFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { ARM_FILE, CLOCK_SKEW_MS, STEPS_FILE, type Armed, type Step, type StepLine } from './steps.js';

/**
 * Loaded into a process of ours before its own code, by the harness only. A signal makes it read what it is armed
 * for; the next time the process comes to that step it writes its line, synchronously, and then acts: what a killed
 * process reports afterwards is gone.
 */

const skewMs = Number(process.env[CLOCK_SKEW_MS] ?? 0);
if (skewMs !== 0) shiftClock(skewMs);

let armed: Armed | null = null;

process.on('SIGUSR2', () => {
  armed = JSON.parse(readFileSync(process.env[ARM_FILE] ?? '', 'utf8')) as Armed | null;
});

/** As on a host whose clock is wrong: the monotonic clock goes on, the time of day is another. */
function shiftClock(ms: number): void {
  const Real = Date;
  const shifted = class extends Real {
    constructor(...args: [] | [number]) {
      if (args.length === 0) super(Real.now() + ms);
      else super(...args);
    }
    static override now(): number {
      return Real.now() + ms;
    }
  };
  globalThis.Date = shifted as DateConstructor;
}

function at(step: Step): void {
  if (armed?.step !== step) return;
  const { action } = armed;
  armed = null;
  // Not Date.now(): that one may be shifted.
  const line: StepLine = { at: performance.timeOrigin + performance.now(), step, action };
  appendFileSync(process.env[STEPS_FILE] ?? '', `${JSON.stringify(line)}\n`);
  if (action === 'error') throw new Error(`fail-point ${step}`);
  process.kill(process.pid, action === 'crash' ? 'SIGKILL' : 'SIGSTOP');
}

type Work = (...args: unknown[]) => unknown;

const dist = join(dirname(require.resolve('@counterfoil/message-table/package.json')), 'dist');
const load = (path: string): Record<string, { prototype: Record<string, Work> } & Work> =>
  require(join(dist, path)) as Record<string, { prototype: Record<string, Work> } & Work>;

interface Place {
  readonly before?: Step;
  readonly after?: Step;
  /** Whether what came out means that the step was reached; always, unless said. */
  readonly when?: (value: unknown, args: readonly unknown[]) => boolean;
}

/** Replaces one function by one that comes to a step before or after the original. */
function wrap(holder: Record<string, Work>, name: string, { before, after, when = () => true }: Place): void {
  const original = holder[name];
  if (original === undefined) throw new Error(`There is no ${name} to put a fail-point at`);
  holder[name] = function (this: unknown, ...args: unknown[]) {
    if (before !== undefined) at(before);
    const result = original.apply(this, args);
    if (after === undefined) return result;
    return Promise.resolve(result).then((value) => {
      if (when(value, args)) at(after);
      return value;
    });
  };
}

/** A claim that took nothing is no step: whoever dies after it holds nothing. */
const tookSome = (claimed: unknown): boolean => (claimed as { readonly claims: unknown[] }).claims.length > 0;
const tookOne = (claim: unknown): boolean => claim !== null;

/** One of the two statements by which a batch leaves a live table for its archive. */
const MOVES_TO_ARCHIVE = /^\s*(?:INSERT INTO \w+_message_archive|DELETE (?:\w+_message )?FROM \w+_message\b)/;
const movedSome = (changed: unknown, [, sql]: readonly unknown[]): boolean =>
  changed !== 0 && typeof sql === 'string' && MOVES_TO_ARCHIVE.test(sql);

const method = (path: string, type: string): Record<string, Work> => {
  const prototype = load(path)[type]?.prototype;
  if (prototype === undefined) throw new Error(`There is no ${type} in ${path}`);
  return prototype;
};

wrap(method('producer/accept.js', 'Acceptor'), 'acceptAll', { after: 'after-accept-before-commit' });
wrap(method('producer/fast-path.js', 'FastPath'), 'handOver', { before: 'after-commit-before-hand-over' });
wrap(load('producer/store/claim.js'), 'claimBatch', { after: 'after-claim-before-publish', when: tookSome });
wrap(load('producer/store/settle.js'), 'settle', { before: 'after-confirm-before-settle' });
wrap(method('consumer/inbox.js', 'Inbox'), 'handle', {
  before: 'after-deliver-before-commit',
  after: 'after-commit-before-ack',
});
wrap(load('consumer/store/retry-claim.js'), 'claimForRetry', {
  after: 'after-retry-claim-before-effect',
  when: tookOne,
});
wrap(load('database/rows.js'), 'changeRows', { after: 'within-archive-batch', when: movedSome });

const PUBLISHED: Step = 'after-publish-before-confirm';

/**
 * amqplib hears of what is published in the next tick and writes it in the immediate after that: only behind these are the
 * bytes on their way. No confirm can be here yet, because nothing is read in between.
 */
function atPublished(): void {
  if (armed?.step !== PUBLISHED) return;
  if (armed.action === 'error') at(PUBLISHED);
  else process.nextTick(() => setImmediate(() => at(PUBLISHED)));
}

const publisher = load('channels/rabbitmq/publisher.js');
const createChannel = publisher['createRabbitChannel'] as Work;
(publisher as Record<string, Work>)['createRabbitChannel'] = (...args) => {
  const channel = createChannel(...args) as Record<string, Work>;
  const send = (channel['send'] as Work).bind(channel);
  channel['send'] = (...message) => {
    const sent = send(...message);
    atPublished();
    return sent;
  };
  return channel;
};
