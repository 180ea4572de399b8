/** Whether a part of the items still shows the failure. */
export type StillFails<Item> = (items: readonly Item[]) => Promise<boolean>;

export interface Minimized<Item> {
  readonly smallest: readonly Item[];
  readonly asked: number;
  /** Nothing can be left out any more, one by one; false when `mostAsked` came first. */
  readonly isMinimal: boolean;
}

/**
 * Delta debugging (ddmin, Zeller and Hildebrandt 2002) by complements alone: with two halves a complement is the other
 * half, and each question costs a whole run. Given items that fail, finds few of them that still do.
 */
export async function minimize<Item>(
  items: readonly Item[],
  stillFails: StillFails<Item>,
  mostAsked: number,
): Promise<Minimized<Item>> {
  let asked = 0;
  let smallest = items;
  const fails = async (part: readonly Item[]): Promise<boolean> => {
    asked++;
    const answer = await stillFails(part);
    if (answer) smallest = part;
    return answer;
  };
  // A fault of the code itself needs no fault of the world at all, and this is the cheapest question.
  if (items.length === 0 || (mostAsked > 0 && (await fails([])))) return { smallest, asked, isMinimal: true };
  let pieces = 2;
  while (smallest.length > 1) {
    const shrunk = await firstThatFails(withoutEach(smallest, pieces), fails, () => asked < mostAsked);
    if (shrunk === 'out of questions') return { smallest, asked, isMinimal: false };
    if (shrunk === 'none' && pieces >= smallest.length) break;
    pieces = shrunk === 'found' ? Math.max(2, pieces - 1) : Math.min(smallest.length, 2 * pieces);
  }
  return { smallest, asked, isMinimal: asked > 0 };
}

async function firstThatFails<Item>(
  parts: readonly (readonly Item[])[],
  fails: StillFails<Item>,
  mayAsk: () => boolean,
): Promise<'found' | 'none' | 'out of questions'> {
  for (const part of parts) {
    if (!mayAsk()) return 'out of questions';
    if (await fails(part)) return 'found';
  }
  return 'none';
}

/** The items cut into pieces of nearly one length, each left out in turn. */
function withoutEach<Item>(items: readonly Item[], pieces: number): Item[][] {
  const start = (piece: number): number => Math.floor((piece * items.length) / pieces);
  return Array.from({ length: pieces }, (_, piece) =>
    items.filter((_item, index) => index < start(piece) || index >= start(piece + 1)),
  );
}
