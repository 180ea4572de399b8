import { context, propagation, SpanKind, trace, type Span } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-node';

import { writeTrace, type Trace } from '../observe/trace-context.js';
import { eventually } from './eventually.js';

/** The real SDK with the exporter of its own that keeps spans in memory: from now on this process is traced. */
export class CollectedSpans implements Disposable {
  private readonly exporter = new InMemorySpanExporter();

  constructor() {
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.exporter)] }).register();
  }

  get ended(): ReadableSpan[] {
    return this.exporter.getFinishedSpans();
  }

  /** Of this operation, in the order of their ends. */
  of(operation: 'create' | 'send' | 'process'): ReadableSpan[] {
    return this.ended.filter(({ attributes }) => attributes['messaging.operation.type'] === operation);
  }

  /** Resolves to them once so many have ended: a span ends after the commit that others can see already. */
  until(operation: 'create' | 'send' | 'process', count: number): Promise<ReadableSpan[]> {
    return eventually(() => {
      const ended = this.of(operation);
      return ended.length >= count && ended;
    });
  }

  /** Runs `work` inside of a span, as a caller that traces does. */
  inside<T>(work: (span: Span) => T): T {
    return trace.getTracer('test').startActiveSpan('caller', { kind: SpanKind.INTERNAL }, work);
  }

  /** Nothing is traced any more. */
  [Symbol.dispose](): void {
    for (const api of [trace, context, propagation]) api.disable();
  }
}

/** Where a span stands, as headers say it. */
export const traceAt = (span: Pick<Span, 'spanContext'>): Trace => writeTrace(span.spanContext());

export const parentOf = ({ parentSpanContext }: ReadableSpan): string | undefined => parentSpanContext?.spanId;
