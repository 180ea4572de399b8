/** One line of a life. */
export interface LifeEvent {
  /** Of the run's clock; null where the witness keeps an order and no time. */
  readonly atMs: number | null;
  /** The process or the witness that tells it. */
  readonly who: string;
  readonly what: string;
}

export const event = (who: string, what: string, atMs: number | null = null): LifeEvent => ({ atMs, who, what });
