import type { Connection } from './data-path/connection.js';
import { DIRECTIONS, type Toxic } from './toxics/toxic.js';

const REMEMBERED = 1000;

/** The toxics of a proxy, in the order in which they were added, and at work on all of its connections. */
export class Toxics {
  readonly all: Toxic[] = [];
  /** Removed ones, the latest last: their effects stay readable. */
  readonly removed: Toxic[] = [];
  private versions = 0;

  constructor(private readonly connections: ReadonlySet<Connection>) {}

  /** As the API lists them: the upstream chain first. */
  get listed(): readonly Toxic[] {
    return DIRECTIONS.flatMap((direction) => this.all.filter((toxic) => toxic.direction === direction));
  }

  find(name: string): Toxic | undefined {
    return this.all.find((toxic) => toxic.name === name);
  }

  /** At once, on open connections too. */
  add(toxic: Omit<Toxic, 'version'>): Toxic {
    const added = { ...toxic, version: ++this.versions };
    this.all.push(added);
    for (const connection of this.connections) connection.link(added.direction)?.add(added);
    return added;
  }

  update(toxic: Toxic, changes: Pick<Toxic, 'attributes' | 'toxicity'>): void {
    Object.assign(toxic, changes, { version: ++this.versions });
    for (const connection of this.connections) connection.link(toxic.direction)?.update(toxic);
  }

  remove(toxic: Toxic): void {
    this.all.splice(this.all.indexOf(toxic), 1);
    this.removed.push(toxic);
    if (this.removed.length > REMEMBERED) this.removed.shift();
    for (const connection of this.connections) connection.link(toxic.direction)?.remove(toxic);
  }

  removeAll(): void {
    for (const toxic of this.listed) this.remove(toxic);
  }
}
