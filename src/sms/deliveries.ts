/** What carriers report of texts that they have taken. */
import type { BaseLogger } from 'pino';
import type { Metrics } from '../observability/metrics.ts';
import type { Sql } from '../db/pool.ts';
import { type DeliveryReport, recordDelivery } from '../db/texts/text-deliveries.ts';

export interface DeliveryDeps {
  database: Sql;
  metrics?: Pick<Metrics, 'text'>;
}

const TEXT_ID = /^txt_[a-z0-9]{1,64}$/;

/** Of the URL that a carrier was given with the text (`?text=txt_…`): it may report before we know its own id. */
export function textIdOf(query: unknown): string | null {
  const text = typeof query === 'object' && query !== null && 'text' in query ? query.text : null;
  return typeof text === 'string' && TEXT_ID.test(text) ? text : null;
}

/** Reports come more than once, late, and in any order: the record keeps the best that was ever said. */
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
