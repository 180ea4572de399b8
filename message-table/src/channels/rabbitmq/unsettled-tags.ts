/** What to tell the broker: everything up to a tag at once, then single tags. */
export interface AckPlan {
  readonly upTo: number | null;
  readonly single: readonly number[];
}

/** The delivery tags of one channel that were neither acked nor nacked yet. Tags arrive ascending. */
export class UnsettledTags {
  private readonly tags = new Set<number>();

  add(tag: number): void {
    this.tags.add(tag);
  }

  /** False when it is settled already: telling the broker again would close the channel. */
  settle(tag: number): boolean {
    return this.tags.delete(tag);
  }

  /** `multiple` reaches only as far as nothing unsettled lies below that is not acked too. */
  ack(tags: readonly number[]): AckPlan {
    const wanted = new Set(tags.filter((tag) => this.tags.has(tag)));
    let upTo: number | null = null;
    for (const tag of this.tags) {
      if (!wanted.delete(tag)) break;
      this.tags.delete(tag);
      upTo = tag;
    }
    for (const tag of wanted) this.tags.delete(tag);
    return { upTo, single: [...wanted] };
  }
}
