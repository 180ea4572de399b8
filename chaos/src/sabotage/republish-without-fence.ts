/** Removes: only the copy of the present claim is handled. Every copy of a note that was ever owed is. */
import { rewriteSql, withoutLast } from './replace.js';

rewriteSql({
  having: ['FROM consumer_message', 'message_id = ? AND consumer = ?'],
  find: `AND status = 'RETRYING' AND version = ?`,
  put: '',
  bindings: withoutLast,
});

rewriteSql({
  having: ['UPDATE consumer_message', `SET status = 'SUCCESS'`],
  find: `WHERE id = ? AND status = 'RETRYING' AND version = ?`,
  put: 'WHERE id = ?',
  bindings: withoutLast,
});
