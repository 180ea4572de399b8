/** Removes: the publisher confirm. A message counts as confirmed as soon as it is written to the socket. */
import { replaceMethod } from './replace.js';

interface LaneLike {
  readonly pending: { readonly byAttempt: ReadonlyMap<string, unknown>; acked(written: unknown): void };
}

type Write = (this: LaneLike, publication: { readonly attempt: string }) => void;

replaceMethod(
  'message-table/channels/rabbitmq/lane',
  ['Lane', 'write'],
  (original: Write): Write =>
    function (publication) {
      original.call(this, publication);
      const written = this.pending.byAttempt.get(publication.attempt);
      if (written !== undefined) this.pending.acked(written);
    },
);
