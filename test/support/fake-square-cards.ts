/** Cards of the fake Square, by outcome. */

/** Last four digits of the test cards, by their outcome. */
export const CARDS = { good: '1111', noMoney: '9995', unanswered: '6702', lost: '6801', broken: '6900' } as const;

export const DECLINES: Readonly<Record<string, string>> = {
  [CARDS.noMoney]: 'INSUFFICIENT_FUNDS',
  '0002': 'GENERIC_DECLINE',
  '0069': 'CARD_EXPIRED',
  '0127': 'CVV_FAILURE',
  '0036': 'ADDRESS_VERIFICATION_FAILURE',
  '0054': 'CARD_DECLINED_VERIFICATION_REQUIRED',
};
