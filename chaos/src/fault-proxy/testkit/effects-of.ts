import type { ToxicEffects } from '../effects.js';
import type { Bench, ProxyHandle } from './bench.js';

export interface Effects extends ToxicEffects {
  readonly cut: number;
  readonly unreachable: number;
  readonly upstreamBytes: number;
  readonly downstreamBytes: number;
  readonly toxicHits: number;
  readonly toxicSpared: number;
  readonly now: { readonly open: number };
  readonly toxics: readonly (ToxicEffects & { readonly name: string })[];
  readonly removed: readonly (ToxicEffects & { readonly name: string })[];
}

export async function effectsOf(bench: Bench, proxy: ProxyHandle): Promise<Effects> {
  return (await bench.call('GET', `${proxy.path}/effects`)).json as unknown as Effects;
}
