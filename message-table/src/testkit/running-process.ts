import { pino } from 'pino';
import { Registry } from 'prom-client';

import { createEvents } from '../observe/events.js';
import { startInOrder, stopInReverse, type Service } from '../service/lifecycle.js';
import type { ProcessDefinition } from '../service/run-main.js';
import { readSettings, type SettingTable } from '../service/settings.js';
import { freePort } from './free-port.js';

/** A process of a service, run within the test's own, on a free port. */
export class RunningProcess<Table extends SettingTable> {
  readonly events = createEvents();
  private services: readonly Service[] = [];
  private port = 0;

  constructor(private readonly definition: ProcessDefinition<Table>) {}

  async start(environment: Record<string, string>): Promise<void> {
    this.port = await freePort();
    const { name, settings, build } = this.definition;
    const given = { PORT: String(this.port), DB_DEADLINE_MS: '3000', ...environment };
    const { services } = build({
      processName: `${name}-test`,
      settings: readSettings(settings, [], given),
      events: this.events,
      registry: new Registry(),
      log: pino({ level: 'silent' }),
    });
    this.services = services;
    await startInOrder(services);
  }

  /** As SIGTERM does. */
  async stop(): Promise<void> {
    const { services } = this;
    this.services = [];
    await stopInReverse(services);
  }

  get url(): string {
    return `http://127.0.0.1:${String(this.port)}`;
  }
}
