/** Removes: mandatory publishing. A message that finds no queue is confirmed, and nobody is told. */
import { replace } from './replace.js';

type Options = (message: unknown, attempt: string) => Readonly<Record<string, unknown>>;

replace(
  'message-table/channels/rabbitmq/publication',
  'publishOptions',
  (original: Options): Options =>
    (message, attempt) => ({ ...original(message, attempt), mandatory: false }),
);
