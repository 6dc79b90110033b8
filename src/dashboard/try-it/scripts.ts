/** What the caller of a test call can do, for people. The names are scripts of `ringkey call`; a test compares them. */

export interface TestScript {
  title: string;
  /** What the caller does, and what comes of it. */
  about: string;
  /** Whether another test card can be entered in place of the script's. */
  takesCard: boolean;
  /** The caller's number; the demo caller's where not given. */
  caller?: string;
}

const SPANISH_CALLER = '+15550101303';

export const TEST_CALLER = '+15550101234';

export const SCRIPT_GROUPS: readonly (readonly [title: string, scripts: Readonly<Record<string, TestScript>>])[] = [
  [
    'It goes well',
    {
      pay: {
        title: 'Pays',
        about: 'Hears each question out, enters the card, is charged, and goes back to the agent.',
        takesCard: true,
      },
      'type-ahead': {
        title: 'In a hurry',
        about: 'Enters card, expiry and code in one go, while the greeting is still being spoken.',
        takesCard: false,
      },
      'saved-card': {
        title: 'Saved card',
        about: 'Presses 1 for a saved card. The line offers one where the caller has one at the merchant.',
        takesCard: false,
      },
      spanish: {
        title: 'In Spanish',
        about: 'Presses 9 for Spanish, and pays. For merchants with Spanish as their second language.',
        takesCard: true,
        caller: SPANISH_CALLER,
      },
    },
  ],
  [
    'The caller has trouble',
    {
      mistype: {
        title: 'Mistypes',
        about: 'Enters a wrong digit, then a past expiry, then everything right.',
        takesCard: false,
      },
      star: {
        title: 'Starts over',
        about: 'Loses the thread in the card number, presses star, and enters it again.',
        takesCard: false,
      },
      slow: {
        title: 'Slow',
        about: 'Takes two seconds for each key. The call takes a minute and a half.',
        takesCard: true,
      },
      'decline-then-ok': {
        title: 'Declined, then paid',
        about: 'The first card is declined; the caller pays with another one.',
        takesCard: true,
      },
      'call-back': {
        title: 'Drops, and calls back',
        about: 'Hangs up in the middle of the card number, dials again, is welcomed back, and pays.',
        takesCard: false,
      },
    },
  ],
  [
    'It goes wrong',
    {
      declined: {
        title: 'Declined',
        about: 'Is declined three times, and goes back to the agent unpaid.',
        takesCard: true,
      },
      'star-star': {
        title: 'Back to the agent',
        about: 'Presses star twice, and goes back to the agent unpaid.',
        takesCard: false,
      },
      silent: {
        title: 'Says nothing',
        about: 'Never presses a key. The line asks again, then gives up.',
        takesCard: false,
      },
      'hangup-mid-card': {
        title: 'Hangs up',
        about: 'Hangs up in the middle of the card number.',
        takesCard: false,
      },
      pending: {
        title: 'No answer from the processor',
        about: 'The charge has no outcome yet: the caller is told not to pay again, and it settles minutes later.',
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
