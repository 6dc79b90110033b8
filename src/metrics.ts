/**
 * What Prometheus scrapes at `/metrics`. Labels are of small, fixed sets: a route's pattern, a status, a verdict; never an
 * id, an account, a number.
 */
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export interface Metrics {
  request(observed: { method: string; route: string; status: number; seconds: number }): void;
  checkout(verdict: 'required' | 'optional' | 'none'): void;
  /** What became of a card that its caller agreed to have kept. */
  card(result: 'kept' | 'refused' | 'failed'): void;
  /** A refund was settled, or is pending: one of those is counted once more when it is settled. */
  refund(outcome: 'succeeded' | 'failed' | 'pending'): void;
  /** The exposition format, and its content type. */
  read(): Promise<{ text: string; contentType: string }>;
}

/** A round trip to Postgres at the one end, the longest handler at the other. */
const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** @param options.process also memory, event loop and garbage collection of this process; once a process */
export function createMetrics(options: { process: boolean } = { process: false }): Metrics {
  const registry = new Registry();
  if (options.process) collectDefaultMetrics({ register: registry });
  const requests = new Histogram({
    name: 'ringkey_http_request_duration_seconds',
    help: 'Time from a request to its answer, by route pattern and status.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: SECONDS,
    registers: [registry],
  });
  const checkouts = new Counter({
    name: 'ringkey_checkouts_total',
    help: 'Checkouts opened, by verdict.',
    labelNames: ['verdict'] as const,
    registers: [registry],
  });
  const cards = new Counter({
    name: 'ringkey_cards_total',
    help: 'Cards whose callers agreed to have them kept, by what became of it: kept, refused by the processor, failed.',
    labelNames: ['result'] as const,
    registers: [registry],
  });
  const refunds = new Counter({
    name: 'ringkey_refunds_total',
    help: 'Refunds settled (succeeded, failed), and those that were pending first.',
    labelNames: ['outcome'] as const,
    registers: [registry],
  });
  for (const outcome of ['succeeded', 'failed', 'pending']) refunds.inc({ outcome }, 0);
  for (const result of ['kept', 'refused', 'failed']) cards.inc({ result }, 0);
  for (const verdict of ['required', 'optional', 'none']) checkouts.inc({ verdict }, 0);
  return {
    request: ({ method, route, status, seconds }) =>
      requests.observe({ method, route, status: String(status) }, seconds),
    checkout: (verdict) => checkouts.inc({ verdict }),
    card: (result) => cards.inc({ result }),
    refund: (outcome) => refunds.inc({ outcome }),
    read: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}
