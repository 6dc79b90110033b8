/** An OpenTelemetry collector on loopback that keeps the spans it receives (OTLP over HTTP, as JSON). */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export interface CollectedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the root span of a trace. */
  parentSpanId: string;
  name: string;
  attributes: Record<string, string | number>;
  /** 2 is an error. */
  statusCode: number;
  startedAtMs: number;
  endedAtMs: number;
}

/** The parts of an ExportTraceServiceRequest that tests read. */
interface ExportRequest {
  resourceSpans: {
    scopeSpans: {
      spans: (Pick<CollectedSpan, 'traceId' | 'spanId' | 'name'> & {
        parentSpanId?: string;
        attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[];
        status: { code?: number };
        startTimeUnixNano: string;
        endTimeUnixNano: string;
      })[];
    }[];
  }[];
}

export class TraceCollector {
  readonly spans: CollectedSpan[] = [];
  /** The raw requests. */
  readonly bodies: string[] = [];
  readonly #server: Server;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        collector.#take(body);
        response.setHeader('content-type', 'application/json').end('{}');
      });
    }).listen(0, '127.0.0.1');
    const collector = new TraceCollector(server);
    await once(server, 'listening');
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The spans of one trace in the order of their start. */
  trace(traceId: string): CollectedSpan[] {
    return this.spans.filter((span) => span.traceId === traceId).sort((a, b) => a.startedAtMs - b.startedAtMs);
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #take(body: string): void {
    this.bodies.push(body);
    const { resourceSpans } = JSON.parse(body) as ExportRequest;
    const spans = resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans));
    for (const { traceId, spanId, name, parentSpanId = '', attributes, status, ...times } of spans) {
      this.spans.push({
        traceId,
        spanId,
        parentSpanId,
        name,
        attributes: Object.fromEntries(
          attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
        ),
        statusCode: status.code ?? 0,
        startedAtMs: Number(times.startTimeUnixNano) / 1e6,
        endedAtMs: Number(times.endTimeUnixNano) / 1e6,
      });
    }
  }
}

/** Names with their children: `['call', ['answer'], ['step paying', ['charge']]]`. */
type SpanTree = [string, ...SpanTree[]];

export function treesOf(spans: readonly CollectedSpan[]): SpanTree[] {
  const treeOf = (span: CollectedSpan): SpanTree => [span.name, ...childrenOf(span.spanId).map(treeOf)];
  const childrenOf = (spanId: string) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);
  return spans.filter((span) => !spans.some(({ spanId }) => spanId === span.parentSpanId)).map(treeOf);
}
