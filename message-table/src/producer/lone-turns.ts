/**
 * Groups of one process send side by side, but a suspect goes alone: while it is on its way, no group hands anything
 * over. Whoever comes waits for those that came before, so that neither many groups nor many suspects hold up the others.
 */
export class LoneTurns {
  /** The last lone turn that was asked for. */
  private lone: Promise<unknown> = Promise.resolve();
  private readonly shared = new Set<Promise<unknown>>();

  /** Beside others of this kind. */
  together<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lone.then(work);
    this.shared.add(turn);
    const forget = (): boolean => this.shared.delete(turn);
    turn.then(forget, forget);
    return turn;
  }

  /** With nothing else under way. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = Promise.allSettled([this.lone, ...this.shared]).then(work);
    this.lone = turn.catch(() => undefined);
    return turn;
  }
}
