/** Card and account numbers of the fake Authorize.net, by outcome, and the reasons that it declines them for. */

/** Visa numbers by outcome. The first is Authorize.net's own (testing guide). */
export const CARDS = {
  good: '4111111111111111',
  declined: '4000000000009995',
  unanswered: '4000000000006702',
  lost: '4000000000006801',
  broken: '4000000000006900',
} as const;

/** Account numbers by outcome. Each is for any valid routing number, as in Authorize.net's sandbox (testing guide). */
export const ACCOUNTS = {
  good: '0009876543210',
  declined: '0009876543229',
  invalid: '0009876543238',
  inReview: '0009876543247',
  lost: '0009876543265',
} as const;

/** Response reason codes of bank accounts. */
export const ACCOUNT_REASONS: Readonly<Record<string, string>> = {
  [ACCOUNTS.declined]: '2',
  // "The account number is invalid."
  [ACCOUNTS.invalid]: '10',
  // "This transaction is currently under review", for eChecks only.
  [ACCOUNTS.inReview]: '107',
};

/** Response reason codes by number. Codes from 5 on are of response code 3, a transaction that is not recorded. */
export const REASONS: Readonly<Record<string, string>> = {
  [CARDS.declined]: '2',
  '4000000000000069': '8',
  '4000000000000127': '44',
  '4000000000000119': '19',
};
/** Reasons of a decline (response code 2); others are of an error (3). */
export const DECLINES = ['2', '3', '4', '27', '44', '45', '65'];
