/** Removes: each message has its own outcome. When one of those that are settled together was confirmed, all are SENT. */
import { replace } from './replace.js';

interface Settling {
  readonly claim: unknown;
  readonly settlement: { readonly to: string };
}

type Settle = (db: unknown, policy: unknown, settlings: readonly Settling[]) => Promise<unknown>;

const SENT = { to: 'SENT' };

replace('message-table/producer/store/settle', 'settle', (original: Settle): Settle => (db, policy, settlings) => {
  const someWereSent = settlings.some(({ settlement }) => settlement.to === SENT.to);
  return original(db, policy, someWereSent ? settlings.map(({ claim }) => ({ claim, settlement: SENT })) : settlings);
});
