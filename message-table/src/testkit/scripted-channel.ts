import type { Channel, Outgoing } from '../channels/channel.js';
import { checkRabbitConfig, rabbitDestination } from '../channels/rabbitmq/config.js';
import { CONFIRMED, type Outcome } from '../channels/outcome.js';

export interface Sending {
  readonly message: Outgoing;
  readonly alone: boolean;
  /** Ends the attempt. */
  answer(outcome: Outcome): void;
}

/** A channel whose answers a test decides. What the real ones do is tested beside them. */
export class ScriptedChannel implements Channel {
  readonly checkConfig = checkRabbitConfig;
  readonly destinationOf = rabbitDestination;
  readonly sendings: Sending[] = [];
  up = true;
  /** What every attempt gets at once; null holds attempts until the test answers. */
  automatic: ((message: Outgoing, alone: boolean) => Outcome | null) | null = () => CONFIRMED;
  private readonly watchers: (() => void)[] = [];

  constructor(readonly name = 'rabbitmq') {}

  isUp(): boolean {
    return this.up;
  }

  send(message: Outgoing): Promise<Outcome> {
    return this.attempt(message, false);
  }

  sendAlone(message: Outgoing): Promise<Outcome> {
    return this.attempt(message, true);
  }

  /** Resolves when so many attempts have been made in all. */
  async whenSent(count: number): Promise<void> {
    while (this.sendings.length < count) await new Promise<void>((resolve) => this.watchers.push(resolve));
  }

  private attempt(message: Outgoing, alone: boolean): Promise<Outcome> {
    return new Promise((answer) => {
      this.sendings.push({ message, alone, answer });
      const outcome = this.automatic?.(message, alone) ?? null;
      if (outcome !== null) answer(outcome);
      for (const watcher of this.watchers.splice(0)) watcher();
    });
  }
}
