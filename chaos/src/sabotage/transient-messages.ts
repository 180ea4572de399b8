/** Removes: persistent messages. A classic queue keeps them in memory; a quorum queue would store them all the same. */
import { replace } from './replace.js';

type Options = (message: unknown, attempt: string) => Readonly<Record<string, unknown>>;

replace(
  'message-table/channels/rabbitmq/publication',
  'publishOptions',
  (original: Options): Options =>
    (message, attempt) => ({ ...original(message, attempt), persistent: false }),
);
