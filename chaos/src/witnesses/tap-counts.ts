/**
 * Counts what was published, by message id.
 *
 * A delivery that was not acknowledged when a connection ended comes again on the next one, and that is no publish.
 * So a copy of an attempt (`x-attempt` names it) that was seen on an earlier connection is not counted. Within one
 * connection every delivery is a publish, whatever it is called: two relays that claimed one row send the same attempt.
 */
export class TapCounts {
  readonly published = new Map<string, number>();
  private readonly lastSeenOn = new Map<string, number>();
  private connection = 0;

  connectionLost(): void {
    this.connection += 1;
  }

  record(messageId: string, attempt: string): void {
    const key = `${messageId} ${attempt}`;
    const seenOn = this.lastSeenOn.get(key);
    this.lastSeenOn.set(key, this.connection);
    if (seenOn !== undefined && seenOn < this.connection) return;
    this.published.set(messageId, (this.published.get(messageId) ?? 0) + 1);
  }
}
