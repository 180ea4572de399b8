/** Names the killer's order in the environment of every process, as JSON. */
export const KILLER = 'CHAOS_KILLER_ORDER';

export interface Killer {
  readonly productId: number;
  readonly quantity: number;
}
