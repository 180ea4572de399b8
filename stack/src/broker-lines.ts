/** Of rabbitmq.conf, the same wherever the broker runs. */
export const BROKER_LINES = [
  'log.console.level = warning',
  'disk_free_limit.absolute = 50MB',
  // 512 MB by default, all of it in memory before the first segment is written.
  'raft.wal_max_size_bytes = 67108864',
];

/** A blank node joins whichever of these runs already. */
export const clusterLines = (nodes: readonly string[]): string[] => [
  'cluster_formation.peer_discovery_backend = classic_config',
  ...nodes.map((node, index) => `cluster_formation.classic_config.nodes.${index + 1} = ${node}`),
  // Of a cluster that falls in two, the smaller part stops instead of going on alone.
  'cluster_partition_handling = pause_minority',
];
