import { httpReceiver, type Receiver } from '../channels/http/testing/receiver.js';

/** A span as a collector gets it. */
export interface ArrivedSpan {
  /** `service.name`. */
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A collector of traces: what is POSTed to it as OTLP over HTTP, in JSON. */
export class OtlpReceiver implements AsyncDisposable {
  readonly spans: ArrivedSpan[] = [];

  private constructor(private readonly receiver: Receiver) {}

  /** @param port a free one unless given */
  static async start(port = 0): Promise<OtlpReceiver> {
    const spans: ArrivedSpan[] = [];
    const receiver = await httpReceiver(
      (request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          if (request.url === '/v1/traces') spans.push(...spansIn(Buffer.concat(chunks).toString()));
          response
            .writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' })
            .end('{}');
        });
      },
      '127.0.0.1',
      port,
    );
    return Object.assign(new OtlpReceiver(receiver), { spans });
  }

  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  get url(): string {
    return `http://127.0.0.1:${String(this.receiver.port)}`;
  }

  ofTrace(traceId: string): ArrivedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId);
  }

  [Symbol.asyncDispose](): PromiseLike<void> {
    return this.receiver[Symbol.asyncDispose]();
  }
}

type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];

interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<ArrivedSpan, 'attributes' | 'resource' | 'service'> & {
        attributes: Attributes;
      })[];
    }[];
  }[];
}

const spansIn = (body: string): ArrivedSpan[] =>
  (JSON.parse(body) as Export).resourceSpans.flatMap(({ resource: { attributes }, scopeSpans }) => {
    const resource = valuesOf(attributes);
    return scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...{ name: span.name, traceId: span.traceId, spanId: span.spanId, parentSpanId: span.parentSpanId },
        ...{ resource, service: String(resource['service.name']), attributes: valuesOf(span.attributes) },
      }));
  });

const valuesOf = (attributes: Attributes): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
