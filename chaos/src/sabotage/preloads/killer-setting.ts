/** Names the killer's order in the environment of every process, as JSON. */
export const KILLER = 'CHAOS_KILLER_ORDER';

export interface Killer {
  readonly productId: number;
  readonly quantity: number;
}

/** Null: nobody kills. */
export function killerIn(environment: Readonly<Record<string, string | undefined>>): Killer | null {
  const text = environment[KILLER];
  return text === undefined ? null : (JSON.parse(text) as Killer);
}

/** @param content of a deduction's message */
export const isKillers = (content: string, { productId, quantity }: Killer): boolean =>
  content.includes(`"productId":${String(productId)},`) && content.includes(`"quantity":${String(quantity)}}`);
