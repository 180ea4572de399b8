import { randomUUID } from 'node:crypto';
import type { Outcome } from '../outcome.js';
import type { Outgoing } from '../channel.js';
import { backoffMs, restMs } from './backoff.js';

/**
 * A message for nobody: mandatory, to a queue that does not exist. Its return and ack prove what connecting and
 * declaring do not: both work during an alarm, and `blocked` comes only after a publish.
 */
export function probeMessage(): Outgoing {
  const messageId = randomUUID();
  const nowhere = { exchange: '', routingKey: `probe.${messageId}` };
  const createdMs = Date.now();
  return {
    id: `probe-${messageId}`,
    version: 0,
    messageId,
    taskName: 'probe',
    ...nowhere,
    channelConfig: null,
    content: '',
    headers: {},
    createdMs,
  };
}

export function answered(outcome: Outcome): boolean {
  return outcome.kind === 'confirmed' || (outcome.kind === 'refused' && outcome.reason.startsWith('unroutable'));
}

/** Probes until one is answered, with back-off; one prober per connection, one probe at a time. */
export class Prober {
  private running = false;
  private rest = new AbortController();

  constructor(private readonly probe: () => Promise<Outcome>) {}

  /** Ends a rest, for when there is news. */
  wake(): void {
    this.rest.abort();
  }

  /** True when a probe was answered; false when nobody wants to know any more, or another call is at it. */
  async prove(wanted: () => boolean): Promise<boolean> {
    if (this.running) return false;
    this.running = true;
    try {
      for (let attempt = 1; wanted(); attempt += 1) {
        if (answered(await this.probe())) return wanted();
        this.rest = new AbortController();
        if (wanted()) await restMs(backoffMs(attempt), this.rest.signal);
      }
      return false;
    } finally {
      this.running = false;
    }
  }
}
