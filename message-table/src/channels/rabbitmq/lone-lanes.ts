import type { Lane } from './lane.js';
import type { Link } from './link.js';

/** Lanes for messages that travel alone. A healthy one is kept, idle, for the next of them. */
export class LoneLanes {
  private idle: Lane | null = null;

  constructor(private readonly open: (link: Link) => Promise<Lane>) {}

  async take(link: Link): Promise<Lane> {
    const kept = this.idle;
    this.idle = null;
    return kept && !kept.closed && kept.link === link ? kept : this.open(link);
  }

  /** A lane whose message got no answer may still get it: it is not used again. */
  giveBack(lane: Lane, healthy: boolean): void {
    if (healthy && !lane.closed && !this.idle) this.idle = lane;
    else if (!lane.closed) void lane.link.closeChannel(lane.channel);
  }
}
