/** Removes: the fence of a settle. Whoever once held a row writes its outcome by id alone, whoever holds it now. */
import { rewriteSql, withoutLast } from './replace.js';

for (const having of [`status = 'SENT', sent_time`, 'lost_count = ?', 'retry_count = retry_count + 1']) {
  rewriteSql({
    having: ['UPDATE producer_message', having],
    find: `WHERE id IN (?) AND status = 'SENDING' AND (id, version) IN (?)`,
    put: 'WHERE id IN (?)',
    bindings: withoutLast,
  });
}
