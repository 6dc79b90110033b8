/** The one line a voice agent says once the checkout is created. */
import type { Merchant, Verdict } from './session.ts';

/**
 * @param merchant null when the dialled number is nobody's: no payment can be taken
 * @param hasCards whether a saved card can be offered
 */
export function checkoutLine(merchant: Merchant | null, verdict: Verdict, hasCards: boolean): string {
  if (merchant === null) return "I'm sorry, I can't take a payment on this call.";
  switch (verdict) {
    case 'required':
      return "I'll transfer you to our secure payment line now. Please have your card ready.";
    case 'optional':
      return hasCards
        ? 'You can pay now with the card we have on file, or pay later. Which would you prefer?'
        : 'You can pay now with a secure link I text you, or pay later. Which would you prefer?';
    case 'none':
      return "You're all set. There's nothing to pay right now.";
  }
}
