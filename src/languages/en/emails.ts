import type { EmailWords } from '../emails.ts';

export const emails: EmailWords = {
  receipt: (business, amount) => ({
    subject: `Your receipt from ${business}: ${amount}`,
    heading: 'Paid',
    text: `Thank you. ${business} has received your payment.`,
  }),
  hold: (business, amount) => ({
    subject: `${business}: a hold of ${amount} on your card`,
    heading: 'Amount held',
    text: `We've placed a hold of ${amount} on your card for ${business}. You have not been charged yet.`,
  }),
  not_charged: (business, amount) => ({
    subject: `${business}: your payment of ${amount} did not go through`,
    heading: 'Not paid',
    text: `Your payment to ${business} did not go through. You were not charged.`,
  }),
  late_receipt: (business, amount) => ({
    subject: `${business}: your payment of ${amount} was taken after all`,
    heading: 'Paid after all',
    text: `We told you that your payment had failed, but it was taken. Please do not pay again. If you paid another way, contact ${business}.`,
  }),
  debit_returned: (business, amount) => ({
    subject: `${business}: your bank returned your payment of ${amount}`,
    heading: 'Returned by your bank',
    text: `Your bank returned the debit for your payment to ${business}, so it is not paid.`,
  }),
  not_collected: (business, amount) => ({
    subject: `${business}: your payment of ${amount} could not be collected`,
    heading: 'Not paid',
    text: `We told you that your payment to ${business} had gone through, but it could not be collected. You were not charged, so it is not paid.`,
  }),
  card_saved: (business) => ({
    subject: `${business}: your card is saved`,
    heading: 'Card saved',
    text: `Your card is saved for ${business}. You were not charged. To have it removed, contact ${business}.`,
  }),
  card_not_saved: (business) => ({
    subject: `${business}: your card was not saved`,
    heading: 'Card not saved',
    text: `Your card could not be saved for ${business}. You were not charged.`,
  }),
  tip: 'including a tip of',
  row: (label, value) => `${label}: ${value}`,
  footer: (business) => `You get this email because you gave ${business} your address for a receipt.`,
};
