/**
 * Spans for OpenTelemetry, through its API alone: an SDK that the operator preloads records and exports them (docs,
 * operating.md). Without one, a span costs about a microsecond.
 */
import {
  type Attributes,
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

/** All attributes that a span can have. None has text from outside: no number, no URL, no header of a call. */
const ATTRIBUTE_NAMES = {
  accountId: 'ringkey.account_id',
  mode: 'ringkey.mode',
  merchantId: 'ringkey.merchant_id',
  sessionId: 'ringkey.session_id',
  callId: 'ringkey.call_id',
  chargeId: 'ringkey.charge_id',
  refundId: 'ringkey.refund_id',
  eventId: 'ringkey.event_id',
  endpointId: 'ringkey.webhook_endpoint_id',
  requestId: 'ringkey.request_id',
  stage: 'ringkey.stage',
  source: 'ringkey.source',
  outcome: 'ringkey.outcome',
  reason: 'ringkey.reason',
  processor: 'ringkey.processor',
  operation: 'ringkey.operation',
  attempt: 'ringkey.attempt',
  sipStatus: 'ringkey.sip_status',
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
} as const;
export type SpanAttributes = Partial<Record<keyof typeof ATTRIBUTE_NAMES, string | number | null>>;

interface SpanOptions {
  /** `server`: someone sent this request to us. `client`: we send it. Both are absent for our own work. */
  kind?: 'server' | 'client';
  /** The first span of a trace, whatever is running. For work that is done for several others. */
  isRoot?: boolean;
  /** Continues the trace of this W3C `traceparent` header. Ignored if it is malformed. */
  traceparent?: string | undefined;
  /** By `Date.now()`; by default now. */
  startedAtMs?: number;
}

/** A span that has started. */
export interface OpenSpan {
  set(attributes: SpanAttributes): void;
  /** The work failed. @param error its name is recorded, and not its message, which may quote anything */
  fail(error?: unknown): void;
  /** Runs work whose spans are children of this one, and whose log lines have its IDs. */
  run<T>(work: () => T): T;
  /** Idempotent. */
  end(): void;
}

const tracer = trace.getTracer('ringkey');
const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT };

/** Starts a span whose parent is the running one. It must be ended. @param name one of few: never with an ID in it */
export function openSpan(name: string, attributes: SpanAttributes, options: SpanOptions = {}): OpenSpan {
  const { kind, startedAtMs } = options;
  const parent = parentOf(options);
  const started = {
    kind: kind === undefined ? SpanKind.INTERNAL : KINDS[kind],
    ...(startedAtMs !== undefined && { startTime: startedAtMs }),
  };
  const span = tracer.startSpan(name, started, parent);
  const within = trace.isSpanContextValid(span.spanContext()) ? trace.setSpan(parent, span) : parent;
  const set = (more: SpanAttributes) => {
    if (span.isRecording()) span.setAttributes(named(more));
  };
  let hasEnded = false;
  set(attributes);
  return {
    set,
    fail(error) {
      const message = error instanceof Error ? error.name : undefined;
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
    },
    run: (work) => context.with(within, work),
    end() {
      if (!hasEnded) span.end();
      hasEnded = true;
    },
  };
}

/** Runs work in a span, which ends with it. An error of the work is recorded by its name. */
export async function inSpan<T>(
  name: string,
  attributes: SpanAttributes,
  work: (span: OpenSpan) => Promise<T>,
  options: SpanOptions = {},
): Promise<T> {
  const span = openSpan(name, attributes, options);
  try {
    return await span.run(() => work(span));
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

/** Runs work that belongs to no span, although one may have caused it: work for many, such as a sweep. */
export function outsideSpans<T>(work: () => T): T {
  return context.with(ROOT_CONTEXT, work);
}

/** The W3C headers that let the receiver of a request continue the running trace. Empty without an SDK. */
export function traceHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  propagation.inject(context.active(), headers);
  return headers;
}

/** `trace_id` and `span_id` of the running span, for a log line. Empty without an SDK. */
export function traceFields(): Record<string, string> {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined || !trace.isSpanContextValid(span) ? {} : { trace_id: span.traceId, span_id: span.spanId };
}

function parentOf({ isRoot = false, traceparent }: SpanOptions) {
  if (traceparent !== undefined) return propagation.extract(ROOT_CONTEXT, { traceparent });
  return isRoot ? ROOT_CONTEXT : context.active();
}

function named(attributes: SpanAttributes): Attributes {
  const known = Object.entries(attributes) as [keyof typeof ATTRIBUTE_NAMES, string | number | null][];
  return Object.fromEntries(known.flatMap(([name, value]) => (value === null ? [] : [[ATTRIBUTE_NAMES[name], value]])));
}
