/** A session that only saves a card. */
export const SAVE_ONLY = {
  purpose: 'save_card',
  amount: { amountCents: 0, currency: 'USD' },
  orderId: null,
  saving: {
    saveTerms: 'merchant_initiated',
    sentence: 'May we save this card, and charge up to 50 dollars if you do not come?',
    maxAmountCents: 5_000,
  },
} as const;
