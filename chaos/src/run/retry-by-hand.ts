import { createEvents, openDatabase, retryMessage } from '@counterfoil/message-table';
import { selectRows } from '@counterfoil/message-table/rows';

import type { ByHand } from '../facts.js';

const FAILED = `
  SELECT message_id AS messageId, error_msg AS errorMsg
    FROM producer_message
   WHERE status = 'FAILED'
   ORDER BY id`;

const PERSON = { who: 'chaos', why: 'the receiver refused it for good, and is put right now' };
/** As the inbox keeps its notes by default. */
const RETENTION_MS = 604_800_000;

/** As a person does who has put the receiver right: everything that is FAILED is sent again, one after the other. */
export async function retryByHand(orderDb: string): Promise<ByHand> {
  const db = openDatabase({ url: orderDb, events: createEvents() });
  try {
    const failed = await selectRows<ByHand['failed'][number]>(db.knex, FAILED);
    let retried = 0;
    for (const { messageId } of failed)
      if ((await retryMessage(db, messageId, PERSON, RETENTION_MS)) === 'done') retried += 1;
    return { failed, retried };
  } finally {
    await db.close();
  }
}
