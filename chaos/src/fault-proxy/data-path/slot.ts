import type { Toxic } from '../toxics/toxic.js';
import type { Chunk, Ending, Held, Stage, StageContext, Taker } from './stage.js';
import { NOTHING_HELD } from './stage.js';

/** What a slot needs of its link and connection. */
export interface SlotHost {
  /** Random numbers of this connection and direction for one version of a toxic. */
  readonly randomFor: (toxic: Toxic) => () => number;
  readonly relieved: () => void;
  readonly reset: () => void;
  /** A stage has ended this direction: nothing more is to be read. */
  readonly over: () => void;
}

/** A toxic's place in one direction of one connection. Without a stage (the dice spared it) it passes everything on. */
export class Slot implements Taker {
  private readonly memory = { passedBytes: 0 };
  private stage: Stage | undefined;
  private hasActed = false;

  constructor(
    readonly toxic: Toxic,
    private readonly host: SlotHost,
    public next: Taker,
  ) {
    this.roll();
  }

  get isFull(): boolean {
    return this.stage?.isFull ?? false;
  }

  take(chunk: Chunk): void {
    if (!this.stage) return this.next.take(chunk);
    this.toxic.effects.chunks++;
    this.toxic.effects.bytes += chunk.data.length;
    this.stage.take(chunk);
  }

  end(ending: Ending): void {
    (this.stage ?? this.next).end(ending);
  }

  /** The toxic was changed: the wait of the chunk in hand is over, the dice are rolled again, the rest starts anew. */
  update(): void {
    const { chunks, ending } = this.stop();
    this.roll();
    chunks.forEach((chunk, index) => (index === 0 ? this.next : (this.stage ?? this.next)).take(chunk));
    if (ending) this.end(ending);
  }

  /** The toxic was removed: what it had held goes on. Where bytes were dropped the rest would be garbage, so it ends. */
  remove(): void {
    const { chunks, ending } = this.stop();
    for (const chunk of chunks) this.next.take(chunk);
    if (this.hasActed && this.toxic.kind.removalCloses) this.closeForGood();
    else if (ending) this.next.end(ending);
  }

  stop(): Held {
    const held = this.stage?.stop() ?? NOTHING_HELD;
    this.stage = undefined;
    return held;
  }

  private closeForGood(): void {
    this.toxic.effects.closes++;
    this.host.over();
    this.next.end('whole');
  }

  private roll(): void {
    const random = this.host.randomFor(this.toxic);
    const isHit = random() < this.toxic.toxicity;
    this.hasActed ||= isHit;
    if (isHit) this.toxic.effects.connections++;
    else this.toxic.effects.spared++;
    this.stage = isHit ? this.toxic.kind.stage(this.toxic.attributes, this.context(random)) : undefined;
  }

  private context(random: () => number): StageContext {
    const { memory, host } = this;
    return {
      random,
      memory,
      effects: this.toxic.effects,
      relieved: host.relieved,
      reset: host.reset,
      take: (chunk) => this.next.take(chunk),
      end: (ending) => {
        host.over();
        this.next.end(ending);
      },
    };
  }
}
