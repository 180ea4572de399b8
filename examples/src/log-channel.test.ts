import { execFileSync } from 'node:child_process';
import { constants, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { TaskCommand } from '@counterfoil/message-table';
import { channelConformance, type Arrived } from '@counterfoil/message-table/channel-conformance';

import { createLogChannel } from './log-channel.js';

// #region command
export const command: TaskCommand = {
  taskName: 'audit.order-created',
  channel: 'log',
  config: { file: 'audit.log' },
  content: { orderId: '1' },
};
// #endregion command

// @ts-expect-error: the channel's name decides what config is
export const mixedUp: TaskCommand = { ...command, config: { url: 'https://hooks.example/' } };

// #region conformance
channelConformance('log', () => {
  const folder = mkdtempSync(join(tmpdir(), 'log-channel-'));
  const file = join(folder, 'audit.log');
  mkdirSync(join(folder, 'refused.log'));
  return Promise.resolve({
    channel: createLogChannel(folder, 500),
    attemptTimeoutMs: 500,
    taken: { file: 'audit.log' },
    refused: { file: 'refused.log' },
    silence: () => void execFileSync('mkfifo', [file]), // nobody reads it, so opening it for writing waits for ever
    arrived: () => Promise.resolve(linesOf(file)),
    [Symbol.asyncDispose]: () => clear(folder, file),
  });
});
// #endregion conformance

const linesOf = (file: string): Arrived[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Arrived);

/** A writer that waits for a reader would keep this process alive. */
async function clear(folder: string, file: string): Promise<void> {
  if (existsSync(file)) await (await open(file, constants.O_RDONLY | constants.O_NONBLOCK)).close();
  rmSync(folder, { recursive: true });
}
