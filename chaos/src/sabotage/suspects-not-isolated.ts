/** Removes: suspects go alone. A message whose lease was lost is claimed with all others, and takes them along again. */
import { rewriteSql } from './replace.js';

rewriteSql({
  having: ['FROM producer_message', `status = 'PENDING' AND house_number = ?`],
  find: 'lost_count AS lostCount',
  put: '0 AS lostCount',
});
