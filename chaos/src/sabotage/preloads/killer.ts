/** Halts a process that is about to send a certain message, so that the nemesis can kill it there: a message that takes its process along. */
import { replaceMethod } from '../replace.js';
import { KILLER, type Killer } from './killer-setting.js';

type Write = (this: unknown, publication: { readonly message: { readonly content: string } }) => void;

const { productId, quantity } = JSON.parse(process.env[KILLER] ?? '{}') as Killer;

replaceMethod(
  'message-table/channels/rabbitmq/lane',
  ['Lane', 'write'],
  (original: Write): Write =>
    function (publication) {
      const { content } = publication.message;
      const isKiller =
        content.includes(`"productId":${String(productId)},`) && content.includes(`"quantity":${String(quantity)}}`);
      if (isKiller) process.kill(process.pid, 'SIGSTOP');
      original.call(this, publication);
    },
);
