/** `agent_message` of `create_checkout`: what the voice agent says next, in the caller's language. */

import type { Merchant } from '../domain/merchant.ts';
import type { Verdict } from '../domain/session.ts';
import { languageFor } from '../languages/index.ts';
import { wordsOf } from './errors.ts';

/** How a caller could pay. */
export interface WaysToPay {
  /** On the payment line, by entering a card on the keypad. */
  takesKeypad: boolean;
  /** A saved card can be offered. */
  hasCards: boolean;
  /** Pay links can be sent, and there is a phone number to text one to. */
  canText: boolean;
}

/**
 * What the agent says if the order is paid or being paid. Otherwise null.
 * @param merchant with the caller's language
 * @param charge of the order, in any session
 */
export function orderLine(
  merchant: Pick<Merchant, 'language'> | null,
  charge: { status: 'pending' | 'succeeded' } | null,
): string | null {
  if (merchant === null || charge === null) return null;
  return wordsOf(charge.status === 'succeeded' ? 'order_paid' : 'order_pending', merchant.language).agentMessage;
}

/**
 * @param merchant with the caller's language. Null if no merchant has the dialed number: then no payment is possible and
 *   the language is unknown
 */
export function checkoutLine(merchant: Pick<Merchant, 'language'> | null, verdict: Verdict, ways: WaysToPay): string {
  if (merchant === null) return "I'm sorry, I can't take a payment on this call.";
  const lines = languageFor(merchant.language).agent.checkout;
  switch (verdict) {
    case 'required':
      return ways.takesKeypad ? lines.transfer : lines.transferWithoutKeypad;
    case 'optional':
      if (ways.hasCards) return lines.cardOrLater;
      return ways.canText ? lines.linkOrLater : lines.later;
    case 'none':
      return lines.nothingDue;
  }
}
