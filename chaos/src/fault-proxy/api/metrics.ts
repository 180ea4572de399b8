import type { Traffic } from '../effects.js';
import type { Proxies } from '../proxies.js';
import { DIRECTIONS } from '../toxics/toxic.js';

const METRICS: readonly (readonly [string, keyof Traffic])[] = [
  ['toxiproxy_proxy_received_bytes_total', 'receivedBytes'],
  ['toxiproxy_proxy_sent_bytes_total', 'sentBytes'],
];

/** Prometheus' text format; unlike the original it counts connections that are still open. */
export const metricsPage = (proxies: Proxies): string =>
  METRICS.map(([name, key]) => `# TYPE ${name} counter\n${samples(proxies, name, key)}`).join('');

function samples(proxies: Proxies, name: string, key: keyof Traffic): string {
  const lines = proxies.sorted.flatMap((proxy) =>
    DIRECTIONS.map((direction) => {
      const labels = { direction, proxy: proxy.name, listener: proxy.listen, upstream: proxy.upstream };
      return `${name}{${labelsText(labels)}} ${proxy.counts[direction][key]}\n`;
    }),
  );
  return lines.join('');
}

const labelsText = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([label, value]) => `${label}=${JSON.stringify(value)}`)
    .join(',');
