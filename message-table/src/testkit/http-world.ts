import { httpReceiver, recordingReceiver, type Receiver, type SeenRequest } from '../channels/http/testing/receiver.js';
import { channelTo, hostPort } from '../channels/http/testing/sending.js';
import type { HttpChannelOptions } from '../channels/http/index.js';
import { selectRows } from '../database/rows.js';
import type { MessageTable, MessageTableOptions } from '../message-table.js';
import type { Accepted } from '../producer/accept.js';
import type { TaskCommandFor } from '../producer/command.js';
import type { RelayOptions } from '../relay.js';
import { TableWorld } from './table-world.js';

export type Answers = readonly (number | 'never')[];

export interface StoredRoute {
  readonly status: string;
  readonly errorMsg: string | null;
  readonly channelConfig: string | null;
  readonly parkedFor: string | null;
}

/** A table, a receiver on this machine, and the real HTTP channel between them. */
export class HttpWorld implements AsyncDisposable {
  private readonly receivers: Receiver[] = [];

  private constructor(readonly world: TableWorld) {}

  static async open(): Promise<HttpWorld> {
    return new HttpWorld(await TableWorld.open());
  }

  /** Answers in turn, the last one for ever. */
  async receiver(...answers: Answers): Promise<{ receiver: Receiver; seen: SeenRequest[] }> {
    const made = await recordingReceiver(answers);
    this.receivers.push(made.receiver);
    return made;
  }

  async answering(...[answer, host]: Parameters<typeof httpReceiver>): Promise<Receiver> {
    const receiver = await httpReceiver(answer, host);
    this.receivers.push(receiver);
    return receiver;
  }

  /** A producing process and a relay, each with a channel of its own to these receivers. */
  async start(
    urls: readonly string[],
    http: Partial<HttpChannelOptions> = {},
    options: Partial<MessageTableOptions> & Partial<RelayOptions> = {},
  ): Promise<MessageTable> {
    const channels = () => [channelTo(urls.map(hostPort), { attemptTimeoutMs: 1_000, breakerWindowMs: 0, ...http })];
    await this.world.relay({ attemptTimeoutMs: 1_000, ...options, channels: channels() });
    return this.world.producer({ ...options, channels: channels() });
  }

  accept(table: MessageTable, url: string, fields: Partial<TaskCommandFor<'http'>> = {}): Promise<Accepted> {
    const content = '{ "name" : "Zwölf ✓" }';
    return this.world.accept(table, { taskName: 'hook', channel: 'http', config: { url }, content, ...fields });
  }

  async route(messageId: string): Promise<StoredRoute> {
    const [row] = await selectRows<StoredRoute>(
      this.world.db.knex,
      `SELECT status, error_msg AS errorMsg, channel_config AS channelConfig, parked_for AS parkedFor
         FROM producer_message WHERE message_id = ?`,
      [messageId],
    );
    if (row === undefined) throw new Error(`There is no message ${messageId}`);
    return row;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.world[Symbol.asyncDispose]();
    for (const receiver of this.receivers) await receiver[Symbol.asyncDispose]();
  }
}
