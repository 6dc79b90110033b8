import type { SavingWords } from '../saving.ts';

export const saving: SavingWords = {
  instead: {
    testCard: 'Use 4242 4242 4242 4242, any future date and any security code.',
    pay: (business) => `Save your card for ${business}`,
    until: (when) => `You can save your card until ${when}.`,
    support: 'Questions about saving your card?',
    faultsHeading: 'Please check what you entered',
    withoutScript:
      'Saving a card on this page needs JavaScript, which is off in this browser. Turn it on, or open the link in another browser.',
    withoutScriptKeypad:
      "Saving a card on this page needs JavaScript, which is off in this browser. You can enter the card on your phone's keypad instead: say so on your call.",
    working: {
      heading: 'Your card is being checked',
      text: 'This takes a few seconds. Please keep this page open.',
    },
    action: {
      heading: 'Your bank asks you to confirm',
      text: 'Please confirm with your bank that this card may be saved. You are not charged.',
    },
    paid: {
      heading: 'Card saved',
      text: (business) => `Thank you. Your card is saved for ${business}. You have not been charged.`,
    },
    notTaken: { heading: 'The card was not saved' },
    pending: { heading: 'Your card is still being checked' },
    onPhone: {
      heading: 'A card is being saved by phone',
      text: 'The card from your call is being checked. There is nothing to do here.',
    },
    onCall: {
      asking: 'The phone is asking for your card now. You can enter it here instead.',
      keying: 'A card is being entered on the phone.',
      paying: 'The card from your phone is being checked. Please do not enter a card here.',
      waiting: 'The phone is waiting while you save your card here.',
      leaving: 'Your call is going back.',
    },
    alreadyPaid: {
      heading: 'Card already saved',
      text: 'A card was saved by phone. There is nothing more to do.',
    },
    expired: {
      heading: 'This link has expired',
      text: (business) => `You can no longer save a card here. Ask ${business} for a new link.`,
    },
    gone: {
      heading: 'No card can be saved here',
      text: 'Cards cannot be saved here right now. You have not been charged.',
    },
    otherAttempt: 'A card was already being saved in another window or by phone. Only one card is saved.',
    notStarted: 'Your card could not be checked, and nothing was charged. Please try again.',
    sentBefore: 'This form was sent before, so no card was saved this time. Please enter your card again.',
  },
  browser: {
    working: 'Checking…',
    still: 'Your card is still being checked. Please keep this page open.',
    offline: 'The connection is lost. What you typed is kept, and it is sent again by itself. Nothing is charged.',
    unsent:
      'No answer came back, so this page does not know yet whether your card is saved. What you typed is kept: check your connection, and press the button again. Nothing is charged.',
    blocked:
      'The card fields could not be loaded: something blocks them, or the connection is lost. Load the page again, or enter your card by phone on your call.',
    not_shown:
      'Your bank’s question could not be shown, and nothing was charged. Load the page again, or press “Do not confirm” to use another card.',
    unavailable: 'Your card could not be checked, and nothing was charged. Please try again.',
  },
  button: 'Save card',
  notCharged: 'You are not charged now.',
  terms: {
    returning: (business) => `${business} will use this card only when you choose it for a payment.`,
    merchant_initiated: (business, max) =>
      max === null
        ? `${business} can charge this card later without asking you again, as described below.`
        : `${business} can charge this card later without asking you again, as described below, at most ${max} each time.`,
  },
  pendingText: 'We could not confirm yet whether your card is saved. You have not been charged.',
  outcomeByText:
    'We could not confirm yet whether your card is saved: we will text you once we know. You have not been charged.',
  receipt: { caption: 'Confirmation', to: 'Saved for' },
};
