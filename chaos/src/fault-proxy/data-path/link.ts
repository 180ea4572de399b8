import type { Socket } from 'node:net';
import type { Traffic } from '../effects.js';
import type { Toxic } from '../toxics/toxic.js';
import { Sink } from './sink.js';
import { Slot, type SlotHost } from './slot.js';
import type { Ending } from './stage.js';
import { LOOP_TURNS, sender } from './turns.js';

export type LinkHost = Pick<SlotHost, 'reset' | 'randomFor'>;

/** One direction of one connection: source → slots, in the order in which the toxics were added → destination. */
export class Link {
  private readonly slots: Slot[] = [];
  private readonly sink: Sink;
  private readonly slotHost: SlotHost;
  private readonly sender = sender(() => void this.source.resume());
  private isOver = false;
  private isPaused = false;

  constructor(
    private readonly source: Socket,
    destination: Socket,
    private readonly traffic: Traffic,
    host: LinkHost,
  ) {
    this.sink = new Sink(destination, traffic);
    this.slotHost = { ...host, relieved: () => this.relieved(), over: () => (this.isOver = true) };
    destination.on('drain', this.slotHost.relieved);
  }

  start(): void {
    this.source.on('data', (data: Buffer) => this.read(data));
    this.source.on('end', () => this.end('half'));
    this.source.resume();
  }

  add(toxic: Toxic): void {
    const slot = new Slot(toxic, this.slotHost, this.sink);
    const last = this.slots.at(-1);
    if (last) last.next = slot;
    this.slots.push(slot);
  }

  update(toxic: Toxic): void {
    this.sink.gather();
    this.slots.find((slot) => slot.toxic === toxic)?.update();
    this.relieved();
  }

  remove(toxic: Toxic): void {
    const index = this.slots.findIndex((slot) => slot.toxic === toxic);
    const slot = this.slots[index];
    if (!slot) return;
    const before = this.slots[index - 1];
    if (before) before.next = slot.next;
    this.slots.splice(index, 1);
    this.sink.gather();
    slot.remove();
    this.relieved();
  }

  /** The source is closed: what it sent is still delivered, then the destination is closed too. */
  sourceGone(): void {
    this.sink.sourceGone();
    this.end('whole');
  }

  /** Nobody will take what is still held. */
  discard(): void {
    this.isOver = true;
    for (const slot of this.slots.splice(0)) slot.stop();
  }

  /** The end goes the way of the bytes: behind those that are held. */
  private end(ending: Ending): void {
    if (this.isOver) return;
    this.isOver = true;
    (this.slots[0] ?? this.sink).end(ending);
  }

  private read(data: Buffer): void {
    if (this.isOver) return;
    this.traffic.receivedBytes += data.length;
    const first = this.slots[0];
    if (first) first.take({ data, atMs: performance.now() });
    else this.sink.write(data);
    const isOthersTurn = LOOP_TURNS.spend(data.length, this.sender);
    if (this.isFull()) this.pause();
    else if (isOthersTurn) this.wait();
  }

  private wait(): void {
    this.source.pause();
    LOOP_TURNS.wait(this.sender);
  }

  private isFull(): boolean {
    return this.sink.isFull || this.slots.some((slot) => slot.isFull);
  }

  private pause(): void {
    this.isPaused = true;
    this.source.pause();
  }

  private relieved(): void {
    if (!this.isPaused || this.isFull()) return;
    this.isPaused = false;
    this.source.resume();
  }
}
