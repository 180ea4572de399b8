/**
 * Removes: an outage is not the message's fault. An attempt without an answer uses one of the message's attempts, and
 * neither a channel that is down nor an open breaker keeps a message from being tried.
 */
import { replace, replaceMethod } from './replace.js';

interface Outcome {
  readonly kind: string;
  readonly reason?: string;
}

type Decide = (outcome: Outcome, attempt: unknown) => unknown;

interface ChannelLike {
  send(message: unknown): Promise<unknown>;
  sendAlone(message: unknown): Promise<unknown>;
}

type Create = (options: unknown) => ChannelLike;

replace(
  'message-table/producer/decide',
  'decide',
  (original: Decide): Decide =>
    (outcome, attempt) =>
      original(outcome.kind === 'unknown' ? { ...outcome, kind: 'refused' } : outcome, attempt),
);

replace('message-table/channels/rabbitmq/publisher', 'createRabbitChannel', (original: Create): Create => (options) => {
  const channel = original(options);
  return Object.assign(Object.create(channel) as ChannelLike, {
    isUp: () => true,
    send: (message: unknown) => channel.send(message),
    sendAlone: (message: unknown) => channel.sendAlone(message),
  });
});

replaceMethod('message-table/producer/destinations', ['Destinations', 'obstacle'], () => () => null);
