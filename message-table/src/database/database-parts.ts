import type { Service } from '../service/lifecycle.js';
import type { Readiness } from '../service/operations.js';
import type { Database } from './database.js';
import { takesWrites } from './takes-writes.js';

/** The pool as a part of a process: connects when it is first asked, closes after everything that uses it. */
export const databaseService = (db: Database): Service => ({
  name: 'database',
  start: () => Promise.resolve(),
  stop: () => db.close(),
});

/** Ready is a database that takes writes: after a fail-over the name may still lead to the server that has become a replica. */
export const databaseReadiness =
  (db: Database, name: string): Readiness =>
  () =>
    takesWrites(db.knex).then(
      (takes) => (takes ? null : `${name} that takes writes`),
      () => name,
    );
