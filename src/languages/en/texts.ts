import { ifKnown, type TextWords } from '../texts.ts';

export const texts: TextWords = {
  card: (brand, lastFour) => `${brand ?? 'card'} ending ${lastFour}`,
  with_tip: ({ amount, tip }) => `${amount} (tip of ${tip} included)`,
  with_remaining: ({ amount, remaining }) => `${amount} (${remaining} left to pay)`,
  account: (lastFour) => (lastFour === null ? 'bank account' : `bank account ending ${lastFour}`),
  debit_terms: ({ business, amount, account, payer, phone, when }) =>
    `${business}: on ${when} ${payer} authorized one electronic debit of ${amount} from the ${account}, on or after that day. It is pending until the bank has paid it, in a few days. Questions, or to revoke: ${phone}. Reply STOP to opt out.`,
  debit_returned: ({ business, amount, account, order, when, phone }) =>
    `${business}: your bank returned the debit of ${amount}${ifKnown(' for order ', order)} (${when}) from the ${account}. It is not paid.${ifKnown(' Questions: ', phone, '.')} Reply STOP to opt out.`,
  receipt: ({ business, amount, card, order, when }) =>
    `${business}: you paid ${amount}${ifKnown(' with ', card)}.${ifKnown(' Order ', order, '.')} ${when}. Reply STOP to opt out.`,
  hold: ({ business, amount, card, order, when }) =>
    `${business}: we placed a hold of ${amount}${ifKnown(' on ', card)}. You have not been charged yet.${ifKnown(' Order ', order, '.')} ${when}. Reply STOP to opt out.`,
  card_saved: ({ business, card }) =>
    `${business}: your card is saved${ifKnown(' (', card, ')')}. You were not charged. To have it removed, contact ${business}. Reply STOP to opt out.`,
  card_not_saved: ({ business, when }) =>
    `${business}: your card was not saved (${when}). You were not charged. Reply STOP to opt out.`,
  not_charged: ({ business, amount, order, when }) =>
    `${business}: your payment of ${amount}${ifKnown(' for order ', order)} (${when}) did not go through. You were not charged. Reply STOP to opt out.`,
  not_collected: ({ business, amount, order, when }) =>
    `${business}: your payment of ${amount}${ifKnown(' for order ', order)} (${when}) could not be collected after all. You were not charged, so it is not paid. Reply STOP to opt out.`,
  late_receipt: ({ business, amount, card, order, when }) =>
    `${business}: your payment of ${amount}${ifKnown(' for order ', order)} (${when}) was taken after all${ifKnown(' from ', card)}. Please do not pay again. If you paid another way, contact ${business}. Reply STOP to opt out.`,
  pay_link: ({ business, amount, link }) => `${business}: pay ${amount} here: ${link} Reply STOP to opt out.`,
  save_link: ({ business, link }) => `${business}: save your card here: ${link} Reply STOP to opt out.`,
  page_code: ({ business, code }) => `${business}: ${code} is your code for the payment page. Do not share it.`,
};
