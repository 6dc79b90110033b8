/** The sandbox's order source: a table, which the record's one question has read already (sources.ts). */
import { isChargeable } from '../../domain/money.ts';
import type { OrderAnswer } from '../ports.ts';

/** @param amountCents what the table says; null: it has no such order */
export function sandboxAnswer(amountCents: number | null): OrderAnswer {
  if (amountCents === null) return { status: 'unknown' };
  return isChargeable(amountCents) ? { status: 'found', amountCents } : { status: 'unavailable', why: 'amount' };
}
