/** Titles and descriptions of the scripts of `ringkey call`. A test compares the names. */

export interface TestScript {
  title: string;
  /** What the caller does, and the result. */
  about: string;
  /** Whether the script can use another test card. */
  takesCard: boolean;
  /** The caller's number. Defaults to the demo caller's. */
  caller?: string;
  /** The checkout offers a bank account, too. */
  offersBankAccount?: true;
  /** What the checkout is for. Defaults to a payment. */
  checkout?: 'hold' | 'save_card';
}

const SPANISH_CALLER = '+15550101303';

export const TEST_CALLER = '+15550101234';

export const SCRIPT_GROUPS: readonly (readonly [title: string, scripts: Readonly<Record<string, TestScript>>])[] = [
  [
    'Successful payments',
    {
      pay: {
        title: 'Pays',
        about: 'Listens to each question, enters the card, pays and returns to the agent.',
        takesCard: true,
      },
      'type-ahead': {
        title: 'In a hurry',
        about: 'Enters card, expiry and code at once during the greeting.',
        takesCard: false,
      },
      'saved-card': {
        title: 'Saved card',
        about: 'Presses 1 to pay with a saved card, if the caller has one with the merchant.',
        takesCard: false,
      },
      ach: {
        title: 'Bank account',
        about:
          'Pays from a bank account and mistypes both numbers once. The debit stays pending. For merchants with a number for bank debits.',
        takesCard: false,
        offersBankAccount: true,
      },
      spanish: {
        title: 'In Spanish',
        about: 'Presses 9 for Spanish and pays. For merchants with Spanish as their second language.',
        takesCard: true,
        caller: SPANISH_CALLER,
      },
      tip: {
        title: 'With a tip',
        about: 'Adds the second tip on offer and hears the total before the charge. For merchants with tips.',
        takesCard: true,
      },
      part: {
        title: 'Pays a part',
        about: 'Pays 20 of the amount. For merchants that accept partial payments.',
        takesCard: true,
      },
    },
  ],
  [
    'Without a payment',
    {
      hold: {
        title: 'Places a hold',
        about: 'Enters a card for a hold: the amount is authorized, and you capture or void it later.',
        takesCard: false,
        checkout: 'hold',
      },
      'save-only': {
        title: 'Saves the card',
        about:
          'Enters a card and agrees to your sentence. The card is saved, and nothing is charged, whatever the amount.',
        takesCard: false,
        caller: '+15550101306',
        checkout: 'save_card',
      },
    },
  ],
  [
    'Caller mistakes',
    {
      mistype: {
        title: 'Mistypes',
        about: 'Enters a wrong digit, then a past expiry date, then everything correctly.',
        takesCard: false,
      },
      star: {
        title: 'Starts over',
        about: 'Makes a mistake in the card number, presses star and enters it again.',
        takesCard: false,
      },
      slow: {
        title: 'Slow',
        about: 'Takes two seconds per key. The call takes 90 seconds.',
        takesCard: true,
      },
      'decline-then-ok': {
        title: 'Declined, then paid',
        about: 'The first card is declined, and the caller pays with another one.',
        takesCard: true,
      },
      'call-back': {
        title: 'Drops and calls back',
        about: 'Hangs up while entering the card number, calls again, is welcomed back and pays.',
        takesCard: false,
      },
    },
  ],
  [
    'Failed payments',
    {
      declined: {
        title: 'Declined',
        about: 'Is declined three times and returns to the agent unpaid.',
        takesCard: true,
      },
      'star-star': {
        title: 'Back to the agent',
        about: 'Presses star twice and returns to the agent unpaid.',
        takesCard: false,
      },
      silent: {
        title: 'Says nothing',
        about: 'Never presses a key. The line asks again, then gives up.',
        takesCard: false,
      },
      'hangup-mid-card': {
        title: 'Hangs up',
        about: 'Hangs up while entering the card number.',
        takesCard: false,
      },
      pending: {
        title: 'No answer from the processor',
        about:
          'The outcome is unknown, so the line tells the caller not to pay again. The charge settles minutes later.',
        takesCard: false,
      },
    },
  ],
];

/** The script of this name; null for any other. */
export function findScript(name: string): TestScript | null {
  for (const [, scripts] of SCRIPT_GROUPS) if (Object.hasOwn(scripts, name)) return scripts[name] ?? null;
  return null;
}
