import { HOUSE_COUNT } from '../producer-message.js';

/** A share of a relay's work: some house numbers, and when and how fast their messages are sent. */
export interface TaskGroup {
  /** Names the group in pauses, logs and metrics. */
  readonly groupId: string;
  readonly houseNumbers: readonly number[];
  /** When a firing begins: six fields, seconds first, UTC. Neither this nor `fixedDelayMs`: the next follows at once while anything is due. */
  readonly cron?: string | undefined;
  /** From the end of one firing to the beginning of the next, ms. */
  readonly fixedDelayMs?: number | undefined;
  /** Messages that one firing takes at most, and that are claimed and in flight at once; RELAY_BATCH unless given. */
  readonly limit?: number | undefined;
  /** Messages per second; without it only the relay's own limit holds. */
  readonly rate?: number | undefined;
}

const ALL_HOUSES: readonly number[] = Array.from({ length: HOUSE_COUNT }, (_, house) => house);

/** What a relay without RELAY_GROUPS works on. */
export const WHOLE_TABLE: TaskGroup = { groupId: 'default', houseNumbers: ALL_HOUSES };

/** House numbers that none of these groups has. Another process may have them. */
export const unservedBy = (groups: readonly TaskGroup[]): number[] =>
  ALL_HOUSES.filter((house) => !groups.some(({ houseNumbers }) => houseNumbers.includes(house)));
