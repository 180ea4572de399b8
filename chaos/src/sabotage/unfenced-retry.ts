/** Removes: the fence of a redelivery. A note becomes SUCCESS by its id alone, although another process may hold it by now. */
import { rewriteSql, withoutLast } from './replace.js';

rewriteSql({
  having: ['UPDATE consumer_message', `SET status = 'SUCCESS'`],
  find: `WHERE id = ? AND status = 'RETRYING' AND version = ?`,
  put: 'WHERE id = ?',
  bindings: withoutLast,
});
