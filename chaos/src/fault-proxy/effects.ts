/** What a toxic has really done, over all connections. Counts only rise; they stay readable after the toxic is gone. */
export interface ToxicEffects {
  /** Directions of connections it acts or acted on; `spared`: those that the dice (toxicity) left alone. An update rolls again. */
  connections: number;
  spared: number;
  /** What came into it. */
  chunks: number;
  bytes: number;
  /** What did not come out of it. */
  droppedBytes: number;
  /** Chunks or pieces that had to wait, and for how long in all. */
  delayedChunks: number;
  delayedMs: number;
  /** What the slicer has made of the chunks. */
  pieces: number;
  /** Connections that it ended in order, and with an RST. */
  closes: number;
  resets: number;
}

export const noEffects = (): ToxicEffects => ({
  connections: 0,
  spared: 0,
  chunks: 0,
  bytes: 0,
  droppedBytes: 0,
  delayedChunks: 0,
  delayedMs: 0,
  pieces: 0,
  closes: 0,
  resets: 0,
});

/** Bytes of one direction: read from the source, written to the destination. */
export interface Traffic {
  receivedBytes: number;
  sentBytes: number;
}

/** What went through a proxy since it was made. */
export interface ProxyCounts {
  accepted: number;
  /** The upstream could not be reached: the client was closed at once. */
  unreachable: number;
  /** Ended by disabling, deleting or restarting the proxy. */
  cut: number;
  readonly upstream: Traffic;
  readonly downstream: Traffic;
}

export const noCounts = (): ProxyCounts => ({
  accepted: 0,
  unreachable: 0,
  cut: 0,
  upstream: { receivedBytes: 0, sentBytes: 0 },
  downstream: { receivedBytes: 0, sentBytes: 0 },
});
