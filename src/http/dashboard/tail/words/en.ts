/** English words of the live tail. */
import type { PROGRESS_STEPS } from '../../../../domain/call-progress.ts';

type StepName = (typeof PROGRESS_STEPS)[number];

/** What the caller does. */
const steps: Readonly<Record<StepName, string>> = {
  greeting: 'Hears the greeting',
  language: 'Changed the language',
  saved_card: 'Is asked about a saved card',
  card_number: 'Enters the card number',
  expiry: 'Enters the expiry date',
  security_code: 'Enters the security code',
  postal_code: 'Enters the postal code',
  method: 'Chooses card or bank account',
  bank_account: 'Enters a bank account',
  confirm: 'Is asked to confirm',
  charging: 'Is being charged',
  link: 'Can pay by link',
  returning: 'Returns to the agent',
};

export const en = {
  title: 'Live tail',
  lead: 'Steps of calls and events as they happen, the newest 200. Nothing that callers enter is shown.',
  connecting: 'Connecting',
  pause: 'Pause',
  newestFirst: 'Newest first',
  empty: 'Nothing has happened yet. New entries appear here.',
  merchant: 'Merchant',
  all: 'All',
  filter: 'Filter',
  steps,
  again: (step: string, attempt: number) => `${step}, attempt ${attempt}`,
  nextStep: 'Next step',
  answered: 'Call answered',
  returned: 'Back with the agent',
  ended: (outcome: string) => `Call ended: ${outcome.toLowerCase()}`,
  gap: 'Too many entries at once: some are left out',
};

export type TailWords = typeof en;
