/**
 * What SMS texts say. Keep them short: every 153 characters cost one more segment, and one character outside GSM-7 more
 * than doubles the price. GSM-7 has é, à, ñ, ü and a few more accents, but none of á, í, ó, ú, û.
 */

interface TextFacts {
  business: string;
  amount: string;
  card: string | null;
  order: string | null;
  when: string;
}

interface DebitTerms {
  account: string;
  payer: string;
  /** For questions, and to revoke. */
  phone: string;
}

export interface TextWords {
  card: (brand: string | null, lastFour: string) => string;
  /** The amount of a text about a payment with a tip. */
  with_tip: (facts: { amount: string; tip: string }) => string;
  /** The amount of a text about a partial payment. */
  with_remaining: (facts: { amount: string; remaining: string }) => string;
  account: (lastFour: string | null) => string;
  /**
   * The written notice of a bank debit that the caller authorized on the phone (Nacha: TEL). It has what the caller heard.
   */
  debit_terms: (facts: Pick<TextFacts, 'business' | 'amount' | 'when'> & DebitTerms) => string;
  /** To a caller who got a receipt for a bank debit: the bank has returned it since. */
  debit_returned: (
    facts: Pick<TextFacts, 'business' | 'amount' | 'order' | 'when'> &
      Pick<DebitTerms, 'account'> & { phone: string | null },
  ) => string;
  receipt: (facts: TextFacts) => string;
  /** Instead of receipt, with manual capture: the amount is held and not taken. */
  hold: (facts: TextFacts) => string;
  /** Instead of receipt, if the card was only saved: how to have it removed. */
  card_saved: (facts: Pick<TextFacts, 'business' | 'card'>) => string;
  /** Instead of not_charged. */
  card_not_saved: (facts: Pick<TextFacts, 'business' | 'when'>) => string;
  /** To a caller who heard "We'll text you as soon as we know": nothing was charged. */
  not_charged: (facts: TextFacts) => string;
  /** To a caller who got a receipt: the amount could not be taken after all. */
  not_collected: (facts: TextFacts) => string;
  /** To a caller who heard that nothing was charged: it was. The order may also have been paid another way. */
  late_receipt: (facts: TextFacts) => string;
  /** A space follows the link, because phones take a full stop for a part of it. */
  pay_link: (facts: Pick<TextFacts, 'business' | 'amount'> & { link: string }) => string;
  /** The same if a card is only saved. */
  save_link: (facts: Pick<TextFacts, 'business'> & { link: string }) => string;
  /** With a warning: anyone who gets this code can pay with the saved cards. */
  page_code: (facts: Pick<TextFacts, 'business'> & { code: string }) => string;
}

/** A part of a text that is left out if its value is not known. */
export function ifKnown(before: string, value: string | null, after = ''): string {
  return value === null ? '' : before + value + after;
}
