/** Halts a process that is about to send a certain message, so that the nemesis can kill it there: a message that takes its process along. */
import { replaceMethod } from '../replace.js';
import { isKillers, killerIn } from './killer-setting.js';

type Write = (this: unknown, publication: { readonly message: { readonly content: string } }) => void;

const killer = killerIn(process.env);

replaceMethod(
  'message-table/channels/rabbitmq/lane',
  ['Lane', 'write'],
  (original: Write): Write =>
    function (publication) {
      if (killer !== null && isKillers(publication.message.content, killer)) process.kill(process.pid, 'SIGSTOP');
      original.call(this, publication);
    },
);
