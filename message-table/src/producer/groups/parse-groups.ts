import { z } from 'zod';

import { HOUSE_COUNT } from '../producer-message.js';
import { problemOfCron } from './cron.js';
import type { TaskGroup } from './task-group.js';

const whole = (min: number, max: number) =>
  z.number('must be a number').refine((value) => Number.isInteger(value) && value >= min && value <= max, {
    error: `must be a whole number from ${String(min)} to ${String(max)}`,
  });

/** Stands in a label of a metric and in the target of a pause. */
const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

const GROUP = z.strictObject({
  groupId: z
    .string('must be a text')
    .regex(ID, 'must be 1 to 64 letters, digits, dots, dashes or underscores, a letter or digit first'),
  houseNumbers: z.array(whole(0, HOUSE_COUNT - 1), 'must be a list of house numbers').min(1, 'must not be empty'),
  cron: z
    .string('must be a text')
    .superRefine((text, context) => {
      const problem = problemOfCron(text, Date.now());
      if (problem !== null) context.addIssue(`'${text}' ${problem}`);
    })
    .optional(),
  fixedDelayMs: whole(1, 86_400_000).optional(),
  limit: whole(1, 100_000).optional(),
  rate: whole(1, 1_000_000).optional(),
});

const GROUPS = z.array(GROUP, 'must be a list of groups');

/** The text of RELAY_GROUPS: a JSON list of groups; nothing at all is no group. Every problem is named, not only the first. */
export const taskGroups: z.ZodType<readonly TaskGroup[], string> = z.string().transform((text, context) => {
  const { groups, problems } = parseTaskGroups(text);
  for (const problem of problems) context.addIssue(problem);
  return problems.length === 0 ? groups : z.NEVER;
});

interface Parsed {
  readonly groups: readonly TaskGroup[];
  readonly problems: readonly string[];
}

function parseTaskGroups(text: string): Parsed {
  if (text.trim() === '') return { groups: [], problems: [] };
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return { groups: [], problems: ['is not JSON'] };
  }
  const parsed = GROUPS.safeParse(raw);
  // The fields one by one, then one against another: zod leaves the second out when the first has found something.
  const problems = [
    ...(parsed.error?.issues.map(({ path, message }) => `${where(raw, path)}${message}`) ?? []),
    ...(Array.isArray(raw) ? contradictions(raw) : []),
  ];
  return { groups: parsed.data ?? [], problems };
}

type Raw = Readonly<Partial<Record<keyof TaskGroup, unknown>>>;

const asGroup = (raw: unknown): Raw => (typeof raw === 'object' && raw !== null ? raw : {});

function contradictions(groups: readonly unknown[]): string[] {
  const seen = new Set<unknown>();
  return groups.flatMap((raw, index) => {
    const { groupId, houseNumbers, cron, fixedDelayMs } = asGroup(raw);
    const problems: string[] = [];
    if (typeof groupId === 'string' && seen.has(groupId)) problems.push('groupId is that of another group');
    if (cron !== undefined && fixedDelayMs !== undefined) problems.push('has both cron and fixedDelayMs');
    if (Array.isArray(houseNumbers) && new Set(houseNumbers).size < houseNumbers.length)
      problems.push('houseNumbers has one twice');
    seen.add(groupId);
    return problems.map((problem) => `${nameOf(groups, index)} ${problem}`);
  });
}

function where(raw: unknown, [index, ...fields]: readonly PropertyKey[]): string {
  if (typeof index !== 'number') return '';
  return `${[nameOf(raw, index), ...fields.map(String)].join(' ')} `;
}

function nameOf(groups: unknown, index: number): string {
  const { groupId } = asGroup(Array.isArray(groups) ? groups[index] : undefined);
  return typeof groupId === 'string' ? `group ${String(index + 1)} (${groupId})` : `group ${String(index + 1)}`;
}
