/** English names of the scripts of a test call, and what the caller does in each. */
import type { ScriptGroup, ScriptName } from '../../scripts.ts';

interface ScriptText {
  title: string;
  /** What the caller does, and the result. */
  about: string;
}

export interface ScriptTexts {
  groups: Readonly<Record<ScriptGroup, string>>;
  scripts: Readonly<Record<ScriptName, ScriptText>>;
}

export const scripts: ScriptTexts = {
  groups: {
    successful: 'Successful payments',
    unpaid: 'Without a payment',
    mistakes: 'Caller mistakes',
    failed: 'Failed payments',
  },
  scripts: {
    pay: { title: 'Pays', about: 'Listens to each question, enters the card, pays and returns to the agent.' },
    'type-ahead': { title: 'In a hurry', about: 'Enters card, expiry and code at once during the greeting.' },
    'saved-card': {
      title: 'Saved card',
      about: 'Presses 1 to pay with a saved card, if the caller has one with the merchant.',
    },
    ach: {
      title: 'Bank account',
      about:
        'Pays from a bank account and mistypes both numbers once. The debit stays pending. For merchants with a number for bank debits.',
    },
    spanish: {
      title: 'In Spanish',
      about: 'Presses 9 for Spanish and pays. For merchants with Spanish as their second language.',
    },
    tip: {
      title: 'With a tip',
      about: 'Adds the second tip on offer and hears the total before the charge. For merchants with tips.',
    },
    part: { title: 'Pays a part', about: 'Pays 20 of the amount. For merchants that accept partial payments.' },
    hold: {
      title: 'Places a hold',
      about: 'Enters a card for a hold: the amount is authorized, and you capture or void it later.',
    },
    'save-only': {
      title: 'Saves the card',
      about:
        'Enters a card and agrees to your sentence. The card is saved, and nothing is charged, whatever the amount.',
    },
    mistype: { title: 'Mistypes', about: 'Enters a wrong digit, then a past expiry date, then everything correctly.' },
    star: {
      title: 'Starts over',
      about: 'Makes a mistake in the card number, presses star and enters it again.',
    },
    slow: { title: 'Slow', about: 'Takes two seconds per key. The call takes 90 seconds.' },
    'decline-then-ok': {
      title: 'Declined, then paid',
      about: 'The first card is declined, and the caller pays with another one.',
    },
    'call-back': {
      title: 'Drops and calls back',
      about: 'Hangs up while entering the card number, calls again, is welcomed back and pays.',
    },
    declined: { title: 'Declined', about: 'Is declined three times and returns to the agent unpaid.' },
    'star-star': { title: 'Back to the agent', about: 'Presses star twice and returns to the agent unpaid.' },
    silent: { title: 'Says nothing', about: 'Never presses a key. The line asks again, then gives up.' },
    'hangup-mid-card': { title: 'Hangs up', about: 'Hangs up while entering the card number.' },
    pending: {
      title: 'No answer from the processor',
      about: 'The outcome is unknown, so the line tells the caller not to pay again. The charge settles minutes later.',
    },
  },
};
