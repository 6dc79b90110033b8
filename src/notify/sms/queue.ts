/** Which events are told to the caller by text. */
import type { ChargeId } from '../../domain/ids.ts';
import type { Sql } from '../../store/database.ts';
import type { UnrelayedEvent } from '../../store/outbox.ts';
import { type ChargeForText, chargesForTexts, insertTexts, type NewText } from '../../store/texts.ts';
import { countSegments } from './segments.ts';
import { type TextKind, textOf } from './words.ts';

/** What is older is no news to the caller: the relay stood still for a day. */
const NEWS_MS = 24 * 60 * 60 * 1_000;

/** In the relay's transaction. An event that is sent once more texts nobody twice. @returns how many were queued */
export async function queueTexts(sql: Sql, events: readonly UnrelayedEvent[]): Promise<number> {
  const outcomes = new Map<ChargeId, TextKind>();
  for (const { type, facts, ageMs } of events) {
    const chargeId = facts?.charge?.charge_id;
    if (chargeId === undefined || ageMs > NEWS_MS) continue;
    if (type === 'checkout.succeeded') outcomes.set(chargeId, 'receipt');
    if (type === 'checkout.failed') outcomes.set(chargeId, 'not_charged');
  }
  if (outcomes.size === 0) return 0;
  const charges = await chargesForTexts(sql, [...outcomes.keys()]);
  const texts = charges.flatMap((charge) => {
    const kind = outcomes.get(charge.chargeId) ?? 'receipt';
    // A plain decline was told on the spot; only who was left in doubt is owed a word.
    return kind === 'not_charged' && !charge.wasPending ? [] : [newText(kind, charge)];
  });
  return texts.length === 0 ? 0 : insertTexts(sql, texts);
}

function newText(kind: TextKind, charge: ChargeForText): NewText {
  const { accountId, mode, sessionId, chargeId, recipient, amountCents, currency } = charge;
  const body = textOf(kind, { ...charge, amount: { amountCents, currency }, at: charge.settledAt });
  return { accountId, mode, sessionId, chargeId, kind, recipient, body, segments: countSegments(body).segments };
}
