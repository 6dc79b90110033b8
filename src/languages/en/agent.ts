/** English. */
import type { AgentWords, CallerWords } from '../agent.ts';

function mistyped(what: string): CallerWords {
  return {
    agentMessage: `The bank says the ${what} doesn't match. Would you like to check it and try again?`,
    displayMessage: `The ${what} does not match. Please check it and try again.`,
  };
}

export const agent: AgentWords = {
  errors: {
    card_declined: {
      agentMessage: "I'm sorry, that card was declined. Would you like to use a different card?",
      displayMessage: 'Your card was declined. Please try a different card.',
    },
    instrument_not_found: {
      agentMessage: "I'm sorry, I can't find that card on file. Would you like to use a different one?",
      displayMessage: 'That card is not on file. Please choose a different card.',
    },
    processor_mismatch: {
      agentMessage: "I can't use that card here, but I can text you a secure link to pay. Would that be all right?",
      displayMessage: 'That card cannot be used here. Please pay with the link we text you.',
    },
    merchant_credentials_invalid: {
      agentMessage: "I'm sorry, I can't take a payment right now. It's not your card. Nothing has been charged.",
      displayMessage: 'Payments are not available right now. It is not your card, and you have not been charged.',
    },
    needs_enrollment: {
      agentMessage:
        "I don't have a card on file for you here yet, so I can text you a secure link to pay. Shall I send it?",
      displayMessage: 'There is no card on file here yet. Please pay with the link we text you.',
    },
    processor_unavailable: {
      agentMessage: "I couldn't confirm whether that payment went through, so please don't pay again.",
      displayMessage: 'We could not confirm your payment yet. Please do not pay again.',
    },
    rate_limit: {
      agentMessage: "I'm sorry, that didn't go through just now. Give me a moment, and we can try again.",
      displayMessage: 'Too many attempts. Please wait a moment and try again.',
    },
    order_lookup_failed: {
      agentMessage: "I'm sorry, I can't find that order right now, so I can't take the payment yet.",
      displayMessage: 'We could not find that order. You have not been charged.',
    },
    card_save_failed: {
      agentMessage: "I'm sorry, I couldn't save that card. Would you like to use a different one?",
      displayMessage: 'That card could not be saved. Please try a different card.',
    },
  },
  declines: {
    insufficient_funds: {
      agentMessage:
        "I'm sorry, the bank didn't approve that amount on this card. Would you like to use a different card?",
      displayMessage: 'Your bank did not approve this amount. Please try a different card.',
    },
    expired_card: {
      agentMessage: "I'm sorry, that card has expired. Would you like to use a different card?",
      displayMessage: 'Your card has expired. Please try a different card.',
    },
    card_not_supported: {
      agentMessage: "I'm sorry, that card can't be used for this payment. Would you like to use a different card?",
      displayMessage: 'This card cannot be used for this payment. Please try a different card.',
    },
    authentication_required: {
      agentMessage:
        "I'm sorry, the bank wants the cardholder to confirm this payment, and that didn't happen. Would you like to use a different card?",
      displayMessage:
        'Your bank asked you to confirm this payment, and it was not confirmed. Please try again or use a different card.',
    },
    incorrect_number: mistyped('card number'),
    incorrect_cvc: mistyped('security code'),
    incorrect_expiry: mistyped('expiry date'),
    incorrect_zip: mistyped('postal code'),
    processing_error: {
      agentMessage:
        "I'm sorry, that payment couldn't be processed. Would you like to try again, or use a different card?",
      displayMessage: 'Your payment could not be processed. Please try again or use a different card.',
    },
    try_again_later: {
      agentMessage:
        "I'm sorry, that card can't be charged right now. Would you like to use a different card, or try again later?",
      displayMessage: 'This card cannot be charged right now. Please try again later or use a different card.',
    },
  },
  other: {
    no_more_attempts: {
      agentMessage: "I'm sorry, I can't try another payment for this order right now. You haven't been charged.",
      displayMessage: 'No more attempts are possible right now. You have not been charged.',
    },
    order_paid: {
      agentMessage: "That order is already paid, so there's nothing more to pay.",
      displayMessage: 'This order is already paid. There is nothing more to pay.',
    },
    order_has_payment: {
      agentMessage: "There's already a payment for that order, so I can't take another one.",
      displayMessage: 'There is already a payment for this order. Another one cannot be taken here.',
    },
    order_pending: {
      agentMessage: "A payment for that order is being confirmed right now, so please don't pay again.",
      displayMessage: 'A payment for this order is being confirmed. Please do not pay again.',
    },
    debit_declined: {
      agentMessage: "I'm sorry, that payment from your bank account didn't go through. Would you like to pay by card?",
      displayMessage: 'Your payment from your bank account did not go through. Please pay by card.',
    },
    outcome_by_text: {
      agentMessage:
        "I couldn't confirm whether that payment went through, so please don't pay again. We'll text you as soon as we know.",
      displayMessage: 'We could not confirm your payment yet. Please do not pay again: we will text you once we know.',
    },
    no_card_on_file: {
      agentMessage: "I'm sorry, I don't have a card on file for you here that I can charge.",
      displayMessage: 'There is no card on file here that can be charged.',
    },
    card_not_usable: {
      agentMessage: "I'm sorry, I can't use that card here. Would you like to use a different card?",
      displayMessage: 'That card cannot be used here. Please use a different card.',
    },
    link_not_texted: {
      agentMessage: "I'm sorry, I can't text you a link right now.",
      displayMessage: 'A link cannot be texted to this number right now.',
    },
    refund_unavailable: {
      agentMessage: "I'm sorry, I can't give that money back right now. Nothing has been refunded.",
      displayMessage: 'Refunds are not available right now. Nothing has been refunded.',
    },
    refund_unknown: {
      agentMessage:
        "I couldn't confirm that refund yet. There's nothing more you need to do; it will be settled shortly.",
      displayMessage:
        'We could not confirm the refund yet. It will be settled shortly; there is nothing for you to do.',
    },
  },
  checkout: {
    transfer: "I'll transfer you to our secure payment line now. Please have your card ready.",
    transferToSave: "I'll transfer you to our secure line now, where you can save your card. Please have it ready.",
    linkToSave: "I'll text you a secure link now, where you can save your card.",
    transferWithoutKeypad: "I'll transfer you to our secure payment line now.",
    cardOrLater: 'You can pay now with the card we have on file, or pay later. Which would you prefer?',
    linkOrLater: 'You can pay now with a secure link I text you, or pay later. Which would you prefer?',
    later: "There's no need to pay now; you can pay later.",
    nothingDue: "You're all set. There's nothing to pay right now.",
  },
  outcome: {
    paid: 'Thank you, your payment went through.',
    paidPart: (remaining) => `Thank you, your payment went through, and ${remaining} is left to pay.`,
    held: (amount) => `Thank you, we've placed a hold of ${amount} on your card. You haven't been charged yet.`,
    saved: "Thank you, your card is saved. You haven't been charged.",
    savingPending: 'Your card is being checked right now.',
    unsaved: "No card has been saved yet. You haven't been charged.",
    released: "The hold on your card was released, and you haven't been charged.",
    debited: 'Thank you, your bank payment is on its way. It stays pending until your bank has paid it, in a few days.',
    returned: "Your bank has returned that payment, so it isn't paid.",
    notCollected: "That payment could not be collected after all, so it isn't paid.",
    confirming: "A payment is being confirmed right now, so please don't pay again.",
    expired: "The time for this payment has run out, and you haven't been charged.",
    linkTexted: 'You can still pay with the secure link we texted you.',
    unpaid: 'Nothing has been paid yet.',
    notConnected:
      "I'm sorry, the call to our payment line didn't connect, and you haven't been charged. Shall we try again?",
    nothingKeyed:
      "The payment line didn't get your card details, so you haven't been charged. Would you like to try again?",
    notUnderstood:
      "The payment line couldn't read your card details, so you haven't been charged. Would you like to try again?",
    stopped: "The payment was stopped, and you haven't been charged. Would you like to try again?",
    noKeypad: "I'm sorry, a card can't be taken on the keypad here. You haven't been charged.",
    lineFailed: "I'm sorry, something went wrong on the payment line. You haven't been charged. Shall we try again?",
  },
};
