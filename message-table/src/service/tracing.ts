import type { NodeTracerProvider, SpanExporter } from '@opentelemetry/sdk-trace-node';

import { MessageTableError } from '../errors.js';
import type { MessageTableEvents } from '../observe/events.js';
import type { Service } from './lifecycle.js';
import type { Environment } from './settings.js';

export interface TracingOptions {
  /** `service.name`, unless the environment has another. */
  readonly name: string;
  /** `service.instance.id`. */
  readonly processName: string;
  readonly events: MessageTableEvents;
  readonly environment: Environment;
}

export interface Tracing {
  /**
   * To be stopped last of all: what the others do while they stop is traced as well.
   *
   * @param stopDeadlineMs for stopping everything; of that it takes a quarter at most, and a second
   */
  readonly part: (stopDeadlineMs: number) => Service;
}

/** What is not sent by then is given up: a collector that is away must not use up the time for stopping. */
const LONGEST_FLUSH_MS = 1_000;

/**
 * Collects the spans of this process and sends them to a collector, over HTTP. The other OTEL_ variables mean what they
 * mean everywhere; the SDK reads them itself.
 *
 * @returns null, and nothing was loaded, without OTEL_EXPORTER_OTLP_ENDPOINT
 * @throws MessageTableError `SETTINGS_INVALID` when the packages are not installed
 */
export async function startTracing(options: TracingOptions): Promise<Tracing | null> {
  const { environment } = options;
  if ((environment['OTEL_EXPORTER_OTLP_ENDPOINT'] ?? '') === '') return null;
  if (environment['OTEL_SDK_DISABLED'] === 'true') return null;
  const provider = await createProvider(options).catch((cause: unknown) => {
    const text = `OTEL_EXPORTER_OTLP_ENDPOINT needs ${PACKAGES.join(', ')}: npm install them, or leave it out`;
    throw new MessageTableError('SETTINGS_INVALID', text, { cause });
  });
  provider.register();
  return {
    part: (stopDeadlineMs) => ({
      name: 'tracing',
      start: () => Promise.resolve(),
      stop: () => flush(provider, Math.min(stopDeadlineMs / 4, LONGEST_FLUSH_MS)),
    }),
  };
}

const PACKAGES = [
  '@opentelemetry/sdk-trace-node',
  '@opentelemetry/exporter-trace-otlp-http',
  '@opentelemetry/resources',
];

/** Loaded only here: whoever traces nothing need not have the packages. */
async function createProvider({ name, processName, events }: TracingOptions): Promise<NodeTracerProvider> {
  const sdk = await import('@opentelemetry/sdk-trace-node');
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const { defaultResource, detectResources, envDetector, resourceFromAttributes } =
    await import('@opentelemetry/resources');
  const ours = resourceFromAttributes({ 'service.name': name, 'service.instance.id': processName });
  return new sdk.NodeTracerProvider({
    resource: defaultResource()
      .merge(ours)
      .merge(detectResources({ detectors: [envDetector] })),
    // Bounded: what finds no place among 2,048 (OTEL_BSP_MAX_QUEUE_SIZE) is dropped.
    spanProcessors: [new sdk.BatchSpanProcessor(telling(new OTLPTraceExporter(), events))],
  });
}

/** Says once that spans do not arrive, and once that they do again: an export fails every few seconds while the collector is away. */
function telling(exporter: SpanExporter, events: MessageTableEvents): SpanExporter {
  let arriving = true;
  return {
    export: (spans, done) => {
      exporter.export(spans, (result) => {
        const { code, error }: { readonly code: number; readonly error?: Error } = result;
        const arrived = code === 0;
        if (arrived !== arriving) events.emit('traceExport', { arriving: arrived, reason: error?.message ?? '' });
        arriving = arrived;
        done(result);
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

async function flush(provider: NodeTracerProvider, boundMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, boundMs)));
  await Promise.race([provider.shutdown().catch(() => undefined), late]);
  clearTimeout(timer);
}
