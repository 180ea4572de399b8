import type { ServiceProcess } from '@counterfoil/stack';

/** The metrics pages of those that answer in time, by name. */
export async function readPages(
  services: Iterable<Pick<ServiceProcess, 'name' | 'url'>>,
  answerMs: number,
): Promise<Map<string, string>> {
  const pages = new Map<string, string>();
  const read = [...services].map(async ({ name, url }) => {
    const answer = await fetch(`${url}/metrics`, { signal: AbortSignal.timeout(answerMs) });
    pages.set(name, await answer.text());
  });
  await Promise.allSettled(read);
  return pages;
}
