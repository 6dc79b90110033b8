/** Delivery reports: what carriers report about texts that they accepted. */
import type { BaseLogger } from 'pino';
import type { Sql } from '../../db/pool.ts';
import { type DeliveryReport, recordDelivery } from '../../db/texts/text-deliveries.ts';
import type { Metrics } from '../../lib/observability/metrics.ts';

export interface DeliveryDeps {
  database: Sql;
  metrics?: Pick<Metrics, 'text'>;
}

const TEXT_ID = /^txt_[a-z0-9]{1,64}$/;

/** Our ID from the report's URL (`?text=txt_…`): a carrier may send the report before we know its own ID. */
export function textIdOf(query: unknown): string | null {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : null;
  return typeof text === 'string' && TEXT_ID.test(text) ? text : null;
}

/** Reports arrive repeatedly, late and in any order. The row keeps the most final one. */
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
