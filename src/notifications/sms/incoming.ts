/** What carriers send us: replies to our texts, and delivery reports about the texts that they accepted. */
import type { BaseLogger } from 'pino';
import type { Sql } from '../../db/pool.ts';
import { type DeliveryReport, optIn, optOut, recordDelivery } from '../../db/texts/texts.ts';
import type { Metrics } from '../../lib/observability/metrics.ts';

export interface Reply {
  /** E.164. */
  from: string;
  body: string;
}

/** Opt-out words: CTIA's messaging principles, and the carriers' synonyms. */
const STOP = new Set(['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE']);
const START = new Set(['START', 'UNSTOP', 'YES']);

/**
 * STOP opts a number out, START opts it in again. The carriers send the confirmation.
 * @returns how the reply was understood
 */
export async function takeReply(sql: Sql, { from, body }: Reply): Promise<'stop' | 'start' | 'other'> {
  const word = wordOf(body);
  if (STOP.has(word)) {
    await optOut(sql, from, word);
    return 'stop';
  }
  if (!START.has(word)) return 'other';
  await optIn(sql, from);
  return 'start';
}

/** `" Stop. "` is STOP; "stop by at noon" is not. */
function wordOf(body: string): string {
  return body
    .trim()
    .replace(/[.!"']/g, '')
    .replace(/\s+/g, ' ')
    .toUpperCase();
}

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

/** Records a delivery report. Reports arrive repeatedly, late and in any order. The row keeps the most final one. */
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
