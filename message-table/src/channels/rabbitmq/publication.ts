import type { Options } from 'amqplib';
import type { Outcome } from '../outcome.js';
import type { Outgoing } from '../channel.js';
import { rabbitDestination } from './config.js';
import type { Flight } from './pending.js';

/** One message's attempt, from `send` to its outcome. */
export class Publication implements Flight {
  readonly attempt: string;
  readonly destination: string;

  constructor(
    readonly message: Outgoing,
    readonly startedMs: number,
    readonly settle: (outcome: Outcome) => void,
  ) {
    this.attempt = `${message.id}:${message.version}`;
    this.destination = rabbitDestination(message);
  }
}

export function publishOptions(message: Outgoing, attempt: string): Options.Publish {
  return {
    mandatory: true,
    persistent: true,
    messageId: message.messageId,
    type: message.taskName,
    contentType: 'application/json',
    timestamp: Math.floor(message.createdMs / 1000),
    // Ours come last: a caller's header of the same name must not break the matching of returns.
    headers: { ...message.headers, 'x-attempt': attempt, 'x-created': message.createdMs },
  };
}
