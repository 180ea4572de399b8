import type { Service } from '../service/lifecycle.js';
import type { Readiness } from '../service/operations.js';
import type { Database } from './database.js';

/** The pool as a part of a process: connects when it is first asked, closes after everything that uses it. */
export const databaseService = (db: Database): Service => ({
  name: 'database',
  start: () => Promise.resolve(),
  stop: () => db.close(),
});

export const databaseReadiness =
  (db: Database, name: string): Readiness =>
  () =>
    db.ping().then(
      () => null,
      () => name,
    );
