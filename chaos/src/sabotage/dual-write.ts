/** Removes: the message row. After COMMIT the order service publishes from memory, and nobody has written down that it owes a message. */
import { randomUUID } from 'node:crypto';

import { built, replaceMethod } from './replace.js';

interface Command {
  readonly messageId?: string;
  readonly config: object;
  readonly content: unknown;
}

interface AcceptorLike {
  readonly options: {
    readonly newId: () => string;
    readonly fastPath: { readonly options: { readonly channels: ReadonlyMap<string, ChannelLike> } } | null;
  };
}

interface ChannelLike {
  send(message: unknown): Promise<unknown>;
}

const { afterCommit } = built('message-table/database/transaction') as {
  afterCommit: (trx: unknown, hook: () => void) => void;
};

type AcceptAll = (this: AcceptorLike, trx: unknown, commands: readonly Command[]) => Promise<unknown[]>;

replaceMethod('message-table/producer/accept', ['Acceptor', 'acceptAll'], (): AcceptAll => {
  return function (trx, commands) {
    const messages = commands.map((command) => ({
      ...{ id: this.options.newId(), version: 0, channelConfig: null, headers: {}, createdMs: Date.now() },
      ...{ messageId: randomUUID(), ...command.config, ...command, content: JSON.stringify(command.content) },
    }));
    const channel = this.options.fastPath?.options.channels.get('rabbitmq');
    afterCommit(trx, () => messages.forEach((message) => void channel?.send(message)));
    return Promise.resolve(messages.map(({ id, messageId }) => ({ id, messageId })));
  };
});
