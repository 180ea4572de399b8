import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import type { Stage } from '../arrivals.js';

/** What the k6 scripts and the built-in generator have in common: profiles, thresholds, summary. */
export interface Profile {
  readonly says: string;
  readonly startRate: number;
  readonly stages: readonly Stage[];
  readonly warmUpSeconds: number;
  readonly p99Ms: number;
  /** Of the services, where a private system is started for the run. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly relays?: number;
}

export interface Measured {
  readonly tool: string;
  readonly url: string;
  readonly attempted: number;
  readonly ok: number;
  readonly refused: number;
  readonly unknown: number;
  readonly dropped: number;
  readonly latencyMs: Readonly<Record<'p50' | 'p90' | 'p99' | 'p999' | 'max', number>>;
  readonly books: Books;
}

export interface Books {
  readonly products: number;
  /** Orders that were taken from the stock. */
  readonly deducted: number;
  /** More than once. */
  readonly doubled: number;
  /** Products with a stock that no orders explain. */
  readonly unreadable: number;
}

export interface Summary extends Measured {
  readonly profile: string;
  readonly holds: boolean;
}

export interface Shared {
  readonly PROFILES: Readonly<Record<string, Profile>>;
  scaled(profile: Profile, wanted: { rate?: number | undefined; seconds?: number | undefined }): Profile;
  makeSummary(name: string, profile: Profile, measured: Measured): Summary;
  summaryText(summary: Summary): string;
}

export const K6_FOLDER = join(__dirname, '..', '..', 'k6');

/** Those files are modules, because k6 knows nothing else. */
export async function loadShared(): Promise<Shared> {
  const files = ['profiles.js', 'profile.js', 'summary.js'].map((file) => join(K6_FOLDER, 'lib', file));
  const parts = await Promise.all(files.map((file) => import(pathToFileURL(file).href) as Promise<object>));
  return Object.assign({}, ...parts) as Shared;
}
