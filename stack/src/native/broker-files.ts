import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BROKER_PASSWORD, BROKER_USER } from '../broker-access.js';
import { BROKER_LINES, clusterLines } from '../broker-lines.js';

export interface BrokerPorts {
  amqp: number;
  management: number | null;
  epmd: number;
  distribution: number;
}

export interface BrokerSettings {
  /** As faults and logs call it. */
  name: string;
  nodeName: string;
  /** Every node of its cluster by its node name, itself included; one alone when it is no cluster. */
  clusterNodes: string[];
  /** Erlang's shared secret, the same for all nodes of a cluster. */
  cookie: string;
  /** Holds configuration, cookie and logs. */
  folder: string;
  dataFolder: string;
  ports: BrokerPorts;
}

export const ctlProgramOf = ({ folder }: BrokerSettings): string => join(folder, 'rabbitmqctl');

export async function writeBrokerFiles(settings: BrokerSettings, ctl: string): Promise<void> {
  const { folder, dataFolder, ports } = settings;
  await mkdir(dataFolder, { recursive: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'rabbitmq.conf'), configuration(settings));
  await writeFile(join(folder, 'enabled_plugins'), ports.management === null ? '[].\n' : '[rabbitmq_management].\n');
  await writeFile(join(folder, 'environment.conf'), '');
  await writeFile(ctlProgramOf(settings), ctlScript(settings, ctl), { mode: 0o700 });
  const cookie = join(folder, '.erlang.cookie');
  if (!existsSync(cookie)) await writeFile(cookie, settings.cookie, { mode: 0o400 });
}

/** The same for the server and for rabbitmqctl. Nothing is inherited: a RABBITMQ_… or ERL_… of somebody's shell would reach in. */
export function brokerEnvironment({ nodeName, folder, dataFolder, ports }: BrokerSettings): Record<string, string> {
  const loopbackOnly = '-kernel inet_dist_use_interface {127,0,0,1}';
  return {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    LANG: 'C.UTF-8',
    HOME: folder,
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: nodeName,
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_MNESIA_BASE: dataFolder,
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ADVANCED_CONFIG_FILE: join(folder, 'advanced.config'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_CONF_ENV_FILE: join(folder, 'environment.conf'),
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: loopbackOnly,
    RABBITMQ_CTL_ERL_ARGS: loopbackOnly,
    // For every `erl`: the server and rabbitmqctl each start one of their own to bring epmd back where they miss it, and
    // what that starts would outlive the stack.
    ERL_AFLAGS: '-start_epmd false',
    // Else a program that gives up on a busy machine leaves a dump where its caller stands.
    ERL_CRASH_DUMP: join(folder, 'erl_crash.dump'),
    // Makes the start script become the Erlang VM instead of waiting for it: our child's pid is the broker's.
    RUNNING_UNDER_SYSTEMD: 'true',
  };
}

function ctlScript(settings: BrokerSettings, ctl: string): string {
  const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
  const environment = Object.entries(brokerEnvironment(settings)).map(([name, value]) => quoted(`${name}=${value}`));
  return `#!/bin/sh\nexec env -i ${environment.join(' ')} ${quoted(ctl)} "$@"\n`;
}

function configuration({ ports: { amqp, management }, clusterNodes }: BrokerSettings): string {
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${amqp}`,
    `default_user = ${BROKER_USER}`,
    `default_pass = ${BROKER_PASSWORD}`,
    'log.file = false',
    'log.console = true',
    ...BROKER_LINES,
  ];
  // Its metrics stay on: at 1000 messages a second they cost no CPU that could be measured, and without them half of the API is an error.
  if (management !== null) lines.push('management.tcp.ip = 127.0.0.1', `management.tcp.port = ${management}`);
  if (clusterNodes.length > 1) lines.push(...clusterLines(clusterNodes));
  return `${lines.join('\n')}\n`;
}
