import { sessionStatements } from './connection.js';

it('DB-03: when a statement lists many rows, then no server makes a join with a temporary table of the list', () => {
  // A settle, a sweep or a claim of 500 rows lists 1000 values, which is where MariaDB begins to.
  expect(sessionStatements(5).join('\n')).toMatch(/\/\*M!10\d{4} .*in_predicate_conversion_threshold = 0.*\*\//);
});

it('when a server ignores the character set that the driver asks for, then the session asks for the same one again', () => {
  expect(sessionStatements(5).join('\n')).toContain('NAMES utf8mb4 COLLATE utf8mb4_general_ci');
});
