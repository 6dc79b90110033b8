/**
 * Metrics for Prometheus, at `/metrics`. Labels have few values (a route's pattern, a status, a verdict): never an id,
 * an account, a phone number.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ChargeSource } from '../../domain/charge.ts';
import type { OutcomeKind } from '../../domain/outcome.ts';

const CHARGE_OUTCOMES = [
  'succeeded',
  'authorized',
  'failed',
  'pending',
  'refused',
  'paid_after_all',
  'voided',
  'expired',
] as const;
const OVERLOAD_CAUSES = ['event_loop', 'media_server', 'database'] as const;
const CALL_OUTCOMES = ['succeeded', 'failed', 'pending', 'canceled', 'expired', 'agent'] as const;

export interface Metrics {
  request(observed: { method: string; route: string; status: number; seconds: number }): void;
  /** A client disconnected before its response. @param route its pattern */
  abandoned(route: string): void;
  checkout(verdict: 'required' | 'optional' | 'none'): void;
  /** The result for a card that its caller agreed to save. */
  card(result: 'kept' | 'refused' | 'failed'): void;
  /**
   * Called once when a charge is settled, and once before if its outcome was unknown at first. `refused`: nothing was
   * sent to a processor. `paid_after_all`: it was reported as failed, because the processor did not have it, and was
   * found paid later.
   */
  charge(outcome: (typeof CHARGE_OUTCOMES)[number], of: { processor: string; source: ChargeSource }): void;
  /** A refund that has its outcome, or whose outcome is not known yet. */
  refund(outcome: 'succeeded' | 'failed' | 'pending'): void;
  /** A number lookup or an attestation source was asked. @param result `answered`, or the kind of failure */
  screening(observed: { adapter: string; result: string; seconds: number }): void;
  /** A synthesizer was asked to render a sentence. @param characters of its text */
  speech(observed: { synthesizer: string; result: 'rendered' | 'failed'; seconds: number; characters: number }): void;
  /** A REST request was refused because this process was overloaded. */
  requestRefused(): void;
  /**
   * A browser reported that the pay page's Content-Security-Policy blocked something. @param directive one of few
   */
  cspReport(directive: string): void;
  /** A processor was asked. @param result the status of its answer, or `error` */
  processorAnswer(observed: { processor: string; operation: string; result: string; seconds: number }): void;
  /** A call was answered. @param seconds from its INVITE to the ACK */
  callAnswered(seconds: number): void;
  /** A call that was answered has ended. */
  call(outcome: OutcomeKind): void;
  /** A call was not answered. @param status of the SIP response @param overload the cause, if this process was overloaded */
  callRefused(status: number, overload: (typeof OVERLOAD_CAUSES)[number] | null): void;
  /** One attempt to deliver a webhook. `waiting`: it is retried. */
  delivery(observed: { result: 'delivered' | 'waiting' | 'failed'; seconds: number }): void;
  /** The first attempt to deliver a webhook begins. @param seconds since its event was committed */
  firstDelivery(seconds: number): void;
  /** A statement was sent to PostgreSQL. @param statement its name, or `other` */
  statement(observed: { statement: string; seconds: number }): void;
  /** Old rows were deleted, or cleared of personal data. */
  rowsPruned(kind: string, rows: number): void;
  /** The body or the text of an event could not be rendered, and was quarantined. `waiting`: it is retried. */
  eventQuarantined(observed: { part: 'body' | 'text'; result: 'waiting' | 'given_up' }): void;
  /** A text was handed to a carrier. `status` is the one stored then. */
  text(observed: { carrier: string; status: string }): void;
  /** A gauge of this process, read at each scrape. @param name without the prefix `ringkey_` */
  watch(name: string, help: string, read: () => number): void;
  /** A counter of this process, read at each scrape. @param name without the prefix `ringkey_` and `_total` */
  watchCount(name: string, help: string, read: () => number): void;
  /** Queue depths in the database, read at each scrape: by kind, with the age of the oldest entry. */
  watchBacklog(read: () => Promise<Backlog>): void;
  /** The partitions in the database, read at each scrape. */
  watchPartitions(read: () => Promise<readonly { table: string; days: number }[]>): void;
  /** The media servers of this process, read at each scrape. */
  watchMediaServers(read: () => readonly WatchedMediaServer[]): void;
  /** The text for Prometheus, and its content type. */
  read(): Promise<{ text: string; contentType: string }>;
}

interface WatchedMediaServer {
  /** Host and port. */
  host: string;
  isConnected: boolean;
  isDrained: boolean;
  calls: number;
}

export type Waiting = 'events' | 'webhooks' | 'texts' | 'charges';
export type Backlog = Readonly<Record<Waiting, { count: number; oldestSeconds: number }>>;

/** Histogram buckets, from a round trip to PostgreSQL to the longest handler. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** The same for a statement of PostgreSQL. Few, because there are many statements. */
const STATEMENT_SECONDS = [0.001, 0.005, 0.02, 0.1, 0.5, 2];

/** @param options.process adds memory, event loop and garbage collection: for one instance per process */
export function createMetrics(options: { process: boolean } = { process: false }): Metrics {
  const registry = new Registry();
  if (options.process) collectProcessMetrics(registry);
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Counter<L>({ name: `ringkey_${name}_total`, help, labelNames, registers: [registry] });
  const histogram = <L extends string>(name: string, help: string, ...labelNames: L[]) =>
    new Histogram<L>({ name: `ringkey_${name}_seconds`, help, labelNames, buckets: SECONDS, registers: [registry] });

  const requests = histogram(
    'http_request_duration',
    'Time from a request to its response, by method, route pattern and status.',
    'method',
    'route',
    'status',
  );
  const abandoned = counter(
    'http_requests_abandoned',
    'Requests whose client disconnected before the response.',
    'route',
  );
  const refusedRequests = counter(
    'http_requests_overloaded',
    'REST requests that got 503 because the process was overloaded.',
  );
  const checkouts = counter('checkouts', 'Checkouts created, by verdict.', 'verdict');
  const cards = counter(
    'cards',
    'Cards whose caller agreed to save them, by result: kept, refused (by the processor), failed.',
    'result',
  );
  const charges = counter(
    'charges',
    'Charges by outcome. A charge whose outcome is unknown at first counts as pending, and again when it is settled. refused: nothing was sent to the processor.',
    'outcome',
    'processor',
    'source',
  );
  const refunds = counter(
    'refunds',
    'Refunds by outcome. A refund whose outcome is unknown at first counts as pending, and again when it is settled.',
    'outcome',
  );
  const screening = histogram(
    'screening_duration',
    'Lookups of callers’ numbers and attestations, by adapter and result. circuit_open: skipped after repeated failures.',
    'adapter',
    'result',
  );
  const speech = histogram(
    'speech_rendering_duration',
    'Sentences sent to a synthesizer, by result. After a failure the next synthesizer of the chain is asked.',
    'synthesizer',
    'result',
  );
  const speechCharacters = counter(
    'speech_characters',
    'Characters of the sentences sent to a synthesizer, including failures.',
    'synthesizer',
  );
  const cspReports = counter(
    'csp_reports',
    'Reports that a browser blocked something on the pay page by its Content-Security-Policy, by directive. Anyone can send such a report.',
    'directive',
  );
  const calls = counter('calls', 'Answered calls that have ended, by outcome.', 'outcome');
  const refusedCalls = counter('calls_refused', 'Calls that were refused, by SIP status.', 'status');
  const overloadedCalls = counter(
    'calls_overloaded',
    'Calls that got 503 because the process was overloaded, by cause: event_loop, media_server, database.',
    'cause',
  );
  const processorAnswers = histogram(
    'processor_request_duration',
    'Requests to processors, by operation and by the status of the answer. error: the adapter failed.',
    'processor',
    'operation',
    'result',
  );
  const answers = histogram('call_answer_duration', 'Time from the INVITE of an answered call to its ACK.');
  const firstDeliveries = histogram(
    'webhook_first_attempt_delay',
    'Time from the commit of an event to the first attempt to deliver its webhook.',
  );
  const statements = new Histogram({
    name: 'ringkey_database_statement_duration_seconds',
    help: 'Statements sent to PostgreSQL, without begin and commit, by name; other: without a name. Includes the wait for a connection.',
    labelNames: ['statement'] as const,
    buckets: STATEMENT_SECONDS,
    registers: [registry],
  });
  const prunedRows = counter(
    'rows_pruned',
    'Rows that were deleted, or cleared of personal data, because of their age, by kind.',
    'kind',
  );
  const deliveries = histogram(
    'webhook_attempt_duration',
    'Attempts to deliver a webhook, by result. waiting: it is retried.',
    'result',
  );
  const texts = counter('texts', 'Texts handed to a carrier, by status.', 'carrier', 'status');
  const quarantined = counter(
    'events_set_aside',
    'Failures to render the body or the text of an event, by result. waiting: it is retried.',
    'part',
    'result',
  );
  for (const part of ['body', 'text'])
    for (const result of ['waiting', 'given_up']) quarantined.inc({ part, result }, 0);
  for (const result of ['kept', 'refused', 'failed']) cards.inc({ result }, 0);
  for (const verdict of ['required', 'optional', 'none']) checkouts.inc({ verdict }, 0);
  for (const outcome of ['succeeded', 'failed', 'pending']) refunds.inc({ outcome }, 0);
  for (const outcome of CALL_OUTCOMES) calls.inc({ outcome }, 0);
  for (const cause of OVERLOAD_CAUSES) overloadedCalls.inc({ cause }, 0);
  return {
    request: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    abandoned: (route) => abandoned.inc({ route }),
    requestRefused: () => refusedRequests.inc(),
    checkout: (verdict) => checkouts.inc({ verdict }),
    card: (result) => cards.inc({ result }),
    cspReport: (directive) => cspReports.inc({ directive }),
    charge: (outcome, { processor, source }) => charges.inc({ outcome, processor, source }),
    screening: ({ adapter, result, seconds }) => screening.observe({ adapter, result }, seconds),
    speech({ synthesizer, result, seconds, characters }) {
      speech.observe({ synthesizer, result }, seconds);
      speechCharacters.inc({ synthesizer }, characters);
    },
    refund: (outcome) => refunds.inc({ outcome }),
    processorAnswer: ({ seconds, ...labels }) => processorAnswers.observe(labels, seconds),
    callAnswered: (seconds) => answers.observe(seconds),
    call: (outcome) => calls.inc({ outcome }),
    callRefused(status, overload) {
      refusedCalls.inc({ status: String(status) });
      if (overload !== null) overloadedCalls.inc({ cause: overload });
    },
    delivery: ({ result, seconds }) => deliveries.observe({ result }, seconds),
    firstDelivery: (seconds) => firstDeliveries.observe(seconds),
    statement: ({ statement, seconds }) => statements.observe({ statement }, seconds),
    rowsPruned: (kind, rows) => prunedRows.inc({ kind }, rows),
    eventQuarantined: ({ part, result }) => quarantined.inc({ part, result }),
    text: ({ carrier, status }) => texts.inc({ carrier, status }),
    watch: (name, help, read) => watch(registry, name, help, read),
    watchCount: (name, help, read) => watchCount(registry, name, help, read),
    watchBacklog: (read) => watchBacklog(registry, read),
    watchPartitions: (read) => watchPartitions(registry, read),
    watchMediaServers: (read) => watchMediaServers(registry, read),
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}

function watch(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name: `ringkey_${name}`,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

function watchCount(registry: Registry, name: string, help: string, read: () => number): void {
  new Counter({
    name: `ringkey_${name}_total`,
    help,
    registers: [registry],
    collect() {
      this.reset();
      this.inc(read());
    },
  });
}

function watchMediaServers(registry: Registry, read: () => readonly WatchedMediaServer[]): void {
  const gauge = (name: string, help: string, measure: (server: WatchedMediaServer) => number) =>
    new Gauge({
      name: `ringkey_media_server_${name}`,
      help,
      labelNames: ['server'] as const,
      registers: [registry],
      collect() {
        this.reset();
        for (const server of read()) this.set({ server: server.host }, measure(server));
      },
    });
  gauge('connected', 'Whether this process is connected to a media server: 1 or 0.', (of) => Number(of.isConnected));
  gauge('drained', 'Whether a media server is drained (ringkey media drain): 1 or 0.', (of) => Number(of.isDrained));
  gauge('calls', 'Calls of this process that are live or arriving at a media server.', (of) => of.calls);
}

/** While the database does not answer, the gauge has no value. */
function watchPartitions(registry: Registry, read: Parameters<Metrics['watchPartitions']>[0]): void {
  new Gauge({
    name: 'ringkey_partition_days_ahead',
    help: 'For how many days after today a table has partitions. Workers create them ahead of time.',
    labelNames: ['table'] as const,
    registers: [registry],
    async collect() {
      const tables = await read().catch(() => []);
      this.reset();
      for (const { table, days } of tables) this.set({ table }, days);
    },
  });
}

/** While the database does not answer, both gauges have no value: unknown is not zero. */
function watchBacklog(registry: Registry, read: () => Promise<Backlog>): void {
  let reading: Promise<Backlog | null> | undefined;
  // Both gauges are read at the same time: one query serves both.
  const readOnce = () => {
    reading ??= read()
      .catch(() => null)
      .finally(() => {
        reading = undefined;
      });
    return reading;
  };
  const kindGauge = (metric: string, help: string, measure: (of: Backlog[Waiting]) => number) =>
    new Gauge({
      name: `ringkey_${metric}`,
      help,
      labelNames: ['kind'] as const,
      registers: [registry],
      async collect() {
        const backlog = await readOnce();
        this.reset();
        for (const [kind, waiting] of Object.entries(backlog ?? {})) this.set({ kind }, measure(waiting));
      },
    });
  kindGauge('waiting', 'Entries that wait in the database, by kind: the depth of the queues.', ({ count }) => count);
  kindGauge('oldest_waiting_seconds', 'Age of the oldest waiting entry, by kind; 0 if none waits.', (waiting) => {
    return waiting.oldestSeconds;
  });
}

/** prom-client's metrics of the event loop that need a timer. `nodejs_eventloop_lag_seconds` is measured at a scrape. */
const LAG_BY_TIMER = ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'];

/**
 * Memory, garbage collection and event loop. Without prom-client's timer, which fires 100 times a second: that is half of
 * the CPU of an idle process.
 */
function collectProcessMetrics(register: Registry): void {
  collectDefaultMetrics({ register, eventLoopMonitoringPrecision: 60_000 });
  for (const part of LAG_BY_TIMER) register.removeSingleMetric(`nodejs_eventloop_lag_${part}_seconds`);
}
