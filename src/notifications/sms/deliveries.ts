/** Delivery reports: what carriers say became of texts that they took. */
import type { BaseLogger } from 'pino';
import type { Sql } from '../../db/pool.ts';
import { type DeliveryReport, recordDelivery } from '../../db/texts/text-deliveries.ts';
import type { Metrics } from '../../lib/observability/metrics.ts';

export interface DeliveryDeps {
  database: Sql;
  metrics?: Pick<Metrics, 'text'>;
}

const TEXT_ID = /^txt_[a-z0-9]{1,64}$/;

/** Our id from the report's URL (`?text=txt_…`): a carrier may report before we know the id that it gave the text. */
export function textIdOf(query: unknown): string | null {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : null;
  return typeof text === 'string' && TEXT_ID.test(text) ? text : null;
}

/** Reports come more than once, late, and in any order: the row keeps the best of them. */
export async function takeDelivery(
  { database, metrics }: DeliveryDeps,
  log: Pick<BaseLogger, 'warn'>,
  report: DeliveryReport,
): Promise<void> {
  const textId = await recordDelivery(database, report);
  if (textId === null) return;
  const { carrier, delivery, code } = report;
  metrics?.text({ carrier, status: delivery });
  if (delivery === 'undelivered') log.warn({ textId, carrier, errorCode: code }, 'text not delivered');
}
