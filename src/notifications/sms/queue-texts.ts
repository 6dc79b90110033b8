/** Receipts and other texts to the caller: the events that cause one, and its row. */
import type { UnrelayedEvent } from '../../db/events/outbox.ts';
import type { Sql } from '../../db/pool.ts';
import { type ChargeForText, chargesForTexts, insertTexts, type NewText } from '../../db/texts/texts.ts';
import type { ChargeId } from '../../domain/ids.ts';
import { isWithinReach } from '../../domain/texts.ts';
import { renderEach, type Unrendered } from '../render-each.ts';
import { type PaymentOutcome, paymentOutcomesOf } from './payment-outcomes.ts';
import { countSegments } from './segments.ts';
import { type TextKind, textOf } from './words.ts';

/** The receipt for a payer who was told that nothing was charged. */
const LATE: TextKind = 'late_receipt';

interface QueuedTexts {
  /** IDs of the new texts. */
  queued: string[];
  unrendered: Unrendered[];
}

/** Runs in the relay's transaction. A resent event causes no second text. */
export async function queueTexts(sql: Sql, events: readonly UnrelayedEvent[]): Promise<QueuedTexts> {
  const outcomes = newsOf(events);
  if (outcomes.size === 0) return { queued: [], unrendered: [] };
  const charges = await chargesForTexts(sql, [...outcomes.keys()]);
  const toSend = charges.flatMap((charge) => {
    const outcome = outcomes.get(charge.chargeId);
    // The call has already announced a plain decline. Only a caller who was left in doubt is texted.
    if (outcome === undefined || (outcome.kind === 'not_charged' && !charge.wasPending)) return [];
    if (!isWithinReach(charge.recipient, charge.textReach)) return [];
    return [{ charge, ...outcome, kind: charge.wasReportedFailed && outcome.kind === 'receipt' ? LATE : outcome.kind }];
  });
  const { rendered, unrendered } = renderEach(
    toSend,
    ({ eventId }) => eventId,
    ({ kind, charge }) => newText(kind, charge),
  );
  return { queued: rendered.length === 0 ? [] : await insertTexts(sql, rendered), unrendered };
}

type News = Omit<PaymentOutcome, 'kind'> & { kind: PaymentOutcome['kind'] | 'debit_terms' };

/** Outcomes, and bank debits without one: their payers get the terms in writing, whether or not the processor answered. */
function newsOf(events: readonly UnrelayedEvent[]): Map<ChargeId, News> {
  const news = new Map<ChargeId, News>(paymentOutcomesOf(events));
  for (const { id: eventId, type, facts } of events) {
    const charge = facts?.charge;
    const isDebit = type === 'checkout.pending' && charge?.payment_method === 'us_bank_account';
    if (charge != null && isDebit && !news.has(charge.charge_id))
      news.set(charge.charge_id, { kind: 'debit_terms', eventId });
  }
  return news;
}

function newText(kind: TextKind, charge: ChargeForText): NewText {
  const { accountId, mode, sessionId, chargeId, recipient, amountCents, currency } = charge;
  const body = textOf(kind, {
    ...charge,
    amount: { amountCents, currency },
    at: charge.wasLate || kind.startsWith('debit_') ? charge.createdAt : charge.settledAt,
  });
  return { accountId, mode, sessionId, chargeId, kind, recipient, body, segments: countSegments(body).segments };
}
