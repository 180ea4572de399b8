import { setTimeout as sleep } from 'node:timers/promises';

import type { ServiceProcess } from '@counterfoil/stack';

type Asked = Pick<ServiceProcess, 'name' | 'url' | 'isRunning'>;

const LOOK_EVERY_MS = 300;
const ANSWER_MS = 2_000;
/** It can do its work now; its loops turn. */
const PATHS = ['/readyz', '/healthz'];

/** @returns those that do not say within the time that they can work, each with what they say instead */
export async function notReady(services: Iterable<Asked>, withinMs: number): Promise<Map<string, string>> {
  const untilMs = performance.now() + withinMs;
  const reasons = new Map<string, string>();
  const asked = [...services].map(async (service) => {
    const why = await whyNot(service, untilMs);
    if (why !== null) reasons.set(service.name, why);
  });
  await Promise.all(asked);
  return reasons;
}

async function whyNot(service: Asked, untilMs: number): Promise<string | null> {
  for (;;) {
    if (!service.isRunning()) return 'it does not run';
    const why = await complaint(service.url);
    if (why === null || performance.now() > untilMs) return why;
    await sleep(LOOK_EVERY_MS);
  }
}

async function complaint(url: string): Promise<string | null> {
  for (const path of PATHS) {
    try {
      const answer = await fetch(`${url}${path}`, { signal: AbortSignal.timeout(ANSWER_MS) });
      const says = await answer.text();
      if (answer.status !== 200) return `${path} says ${String(answer.status)}: ${says}`;
    } catch (error) {
      return `${path} does not answer: ${String(error)}`;
    }
  }
  return null;
}
