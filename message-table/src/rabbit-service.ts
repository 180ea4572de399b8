import type { RabbitChannel, RabbitConnection } from './channels/rabbitmq/index.js';
import type { Service } from './service/lifecycle.js';

/** A channel or a connection as a part of a process: its start does not wait for the broker. */
export const rabbitService = (
  name: string,
  part: Pick<RabbitChannel | RabbitConnection, 'start' | 'stop'>,
): Service => ({
  name,
  start: () => {
    part.start();
    return Promise.resolve();
  },
  stop: () => part.stop(),
});
