/** Removes: 2xx only after COMMIT. The inventory answers 200 at once, and then does its work. */
import { replaceMethod } from './replace.js';

type Take = (this: unknown, message: unknown) => Promise<string>;

replaceMethod(
  'message-table/consumer/http-intake',
  ['HttpIntake', 'take'],
  (original: Take): Take =>
    function (message) {
      original.call(this, message).catch(() => undefined);
      return Promise.resolve('success');
    },
);
