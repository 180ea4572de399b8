import { Cron } from 'croner';

import { reasonOf } from '../../errors.js';

/** The first moment strictly after `afterMs` (ms since 1970) that the expression names, or null when there is none. */
export type NextTime = (afterMs: number) => number | null;

/**
 * Reads a cron expression as Spring and Quartz write it: six fields, seconds first, `?` for "any", `0/10` for every ten
 * from 0. Days of the week count from Sunday 0 (7 is Sunday too), as in Spring; Quartz counts from Sunday 1. When a day of the month
 * and a day of the week are given, both must fit.
 *
 * @throws Error in words when it cannot be read
 */
export function readCron(expression: string): NextTime {
  // The library would also take a date, a word like @daily, and other numbers of fields.
  if (expression.trim().split(/\s+/).length !== 6) throw new Error('has not six fields, seconds first');
  const cron = new Cron(expression, { mode: '6-part', sloppyRanges: true, domAndDow: true, timezone: 'UTC' });
  return (afterMs) => cron.nextRun(new Date(afterMs))?.getTime() ?? null;
}

/** What is wrong with it, or null. */
export function problemOfCron(expression: string, nowMs: number): string | null {
  try {
    return readCron(expression)(nowMs) === null ? 'never fires' : null;
  } catch (error) {
    return reasonOf(error).replace('CronPattern: ', '');
  }
}
