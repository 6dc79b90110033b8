/** English. */
import type { PageWords } from './words.ts';

export const ENGLISH: PageWords = {
  name: 'English',
  language: 'Language',
  testMode: 'Test mode: no real money moves.',
  testCard: 'Pay with 4242 4242 4242 4242, any date to come and any security code.',
  pay: (business) => `Pay ${business}`,
  payButton: (amount) => `Pay ${amount}`,
  testWallet: 'Pay with the test wallet',
  forNumber: (lastTwo) => `For the phone number ending ${lastTwo}`,
  until: (when) => `You can pay until ${when}.`,
  order: 'Order',
  items: 'Items',
  total: 'Total',
  card: 'Card',
  fields: {
    number: { label: 'Card number', hint: null },
    expiry: { label: 'Expiry date', hint: 'MM / YY' },
    security_code: { label: 'Security code', hint: '3 digits on the back, 4 on the front of American Express' },
    postal_code: { label: 'Postal code', hint: null },
  },
  faults: {
    number_missing: 'Enter the card number.',
    number_incomplete: 'The card number is too short.',
    number_wrong: 'Check the card number: a digit is wrong or missing.',
    number_not_accepted: 'This kind of card is not accepted here. Use another card.',
    expiry_missing: 'Enter the expiry date.',
    expiry_wrong: 'Enter the expiry date as month and year, such as 04 / 29.',
    expiry_past: 'The expiry date is in the past.',
    security_code_missing: 'Enter the security code.',
    security_code_wrong: 'Check the security code: it has the wrong length.',
    postal_code_missing: 'Enter the postal code.',
    postal_code_wrong: 'Check the postal code.',
  },
  faultsHeading: 'Please check your card details',
  keepCard: 'Keep this card for my next payments here, on this page or by phone.',
  encrypted: 'Your card details are sent encrypted.',
  withoutScript:
    'Paying by card on this page needs JavaScript, which is off in this browser. Turn it on, or open the link in another browser.',
  withoutScriptKeypad:
    "Paying by card on this page needs JavaScript, which is off in this browser. You can pay with your phone's keypad instead: say so on your call.",
  loadingFields: 'Loading the card fields…',

  working: {
    heading: 'Your payment is being made',
    text: 'This takes a few seconds. Please keep this page open, and do not pay again.',
  },
  action: {
    heading: 'Your bank asks you to confirm',
    text: 'Please confirm the payment with your bank. You are charged only after that.',
  },
  paid: { heading: 'Paid', text: (business) => `Thank you. ${business} has your payment.` },
  declined: { heading: 'The card was declined' },
  refusedByMerchant: { heading: 'The payment was not taken' },
  noMoreAttempts: { heading: 'No more attempts' },
  pending: { heading: 'Your payment is not confirmed yet' },
  orderPending: { heading: 'This order is being paid' },
  onPhone: {
    heading: 'This is being paid by phone',
    text: 'A payment on your call is under way. There is nothing to do here.',
  },
  onCall: {
    asking: 'The phone is asking for your card now. You can pay here instead.',
    keying: 'A card is being entered on the phone.',
    paying: 'The card from your phone is being charged. Please do not pay here.',
    waiting: 'The phone is waiting while you pay here.',
    leaving: 'Your call is going back.',
  },
  alreadyPaid: { heading: 'Already paid', text: 'This was paid by phone. There is nothing more to pay.' },
  expired: {
    heading: 'This link has expired',
    text: (business) => `You can no longer pay here. Ask ${business} for a new link.`,
  },
  nothingToPay: { heading: 'Nothing to pay', text: 'There is nothing to pay here right now.' },
  gone: {
    heading: 'This cannot be paid here',
    text: 'Payments cannot be taken here right now. You have not been charged.',
  },
  notFound: {
    heading: 'This link does not work',
    text: 'Open the whole link from your text message again. If it still does not work, ask for a new one.',
  },
  tooMany: {
    heading: 'Too many tries',
    text: 'Please wait a minute, then open the link from your text message again.',
  },
  notOurs: {
    heading: 'Please open the link again',
    text: 'This form did not come from our page, so nothing was charged. Open the link from your text message again.',
  },
  failed: {
    heading: 'Something went wrong on our side',
    text: 'Please open the page again in a moment. It tells you whether the payment was made, so do not pay in another way yet.',
  },

  otherAttempt: 'This was already being paid in another window or by phone. You are charged only once.',
  notStarted: 'The payment could not be started, and nothing was charged. Please try again.',
  confirm: 'Confirm',
  doNotConfirm: 'Do not confirm',
  browser: {
    working: 'Paying…',
    slow: 'The card fields are taking long. Please wait, or check your connection.',
    blocked:
      'The card fields did not come: something blocks them, or the connection is lost. Load the page again, or pay by phone on your call.',
    incomplete: 'Please check your card details.',
    declined: 'The card was declined. Please try another card.',
    not_shown:
      'Your bank’s question could not be shown, and nothing was charged. Load the page again, or press “Do not confirm” to pay in another way.',
    not_verified: 'Your bank did not confirm it is you. Please try again, or use another card.',
    unavailable: 'The payment could not be started, and nothing was charged. Please try again.',
  },
  checkAgain: 'Check again',
  toThePage: 'Back to the payment',
  continueTo: (host) => `Continue to ${host}`,
  followsSoon: 'You will be taken there in a few seconds.',
  stay: 'Stay on this page',
  receipt: {
    caption: 'Receipt',
    amount: 'Amount',
    to: 'Paid to',
    card: 'Card',
    cardEnding: (brand, lastFour) => `${brand ?? 'Card'} ending ${lastFour}`,
    when: 'Date',
    refunded: 'Refunded',
    reference: 'Reference',
  },
};
