export interface ToxicPlan {
  readonly type: 'timeout' | 'reset_peer' | 'latency' | 'bandwidth' | 'slicer';
  readonly attributes: Readonly<Record<string, number>>;
}
