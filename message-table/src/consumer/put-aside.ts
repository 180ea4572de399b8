import { isDatabaseTrouble } from '../database/error-kinds.js';
import type { Received } from './consumer-message.js';
import type { Ended } from './ending.js';
import { LoneFailures } from './lone-failures.js';
import { recordPutAside, type InboxTools } from './record-failure.js';

/**
 * What counts as the database's own trouble may be the fault of one message after all: its effect takes longer than a
 * statement may, or waits for a row that somebody holds for ever. It is told by failing alone, again and again, while the
 * database answers and keeps what it is told; then it is put aside, so that it holds up nobody else.
 */
export class PutAside {
  private readonly failures = new LoneFailures();

  constructor(private readonly tools: InboxTools) {}

  /** Something took effect: there is no outage. */
  tookEffect(): void {
    this.failures.tookEffect();
  }

  /**
   * After the handling of one message alone ended with `error`.
   *
   * @returns how it ended, once its note is committed
   * @throws `error` while it is to be kept and handled again; what is no fault of the message when it cannot be noted
   */
  async insteadOf(error: unknown, received: Received): Promise<Ended> {
    const key = keyOf(received);
    if (!isDatabaseTrouble(error) || !(await this.answers()) || !this.failures.failedAgain(key)) throw error;
    const ended = await recordPutAside(this.tools, received, error);
    this.failures.putAside(key);
    return ended;
  }

  private answers(): Promise<boolean> {
    return this.tools.db.ping().then(
      () => true,
      () => false,
    );
  }
}

/** A delivery that came back is another one: how often it may come back is for the broker to count. */
const keyOf = ({ messageId, headers }: Received): string =>
  JSON.stringify([messageId, headers['x-delivery-count'] ?? 0]);
