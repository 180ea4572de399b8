/** Removes: the claim's lock and fence. Rows are selected without a lock and marked by id, and nobody looks at the row count. */
import { rewriteSql, withoutLast } from './replace.js';

rewriteSql({
  having: ['FROM producer_message', `status = 'PENDING' AND house_number = ?`, 'LIMIT ?'],
  find: 'FOR UPDATE SKIP LOCKED',
  put: '',
});

rewriteSql({
  having: ['UPDATE producer_message', `SET status = 'SENDING'`],
  find: `WHERE id IN (?) AND status = 'PENDING' AND (id, version) IN (?)`,
  put: 'WHERE id IN (?)',
  bindings: withoutLast,
});
