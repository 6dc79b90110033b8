/** English words of the page of live calls. */
import type { CallStage } from '../../../../domain/call.ts';
import { plural } from '../../words/formats.ts';

/** What the caller is doing. Never what was entered, or how much of it. */
const steps: Readonly<Record<CallStage, string>> = {
  greeting: 'Hearing the greeting',
  card_number: 'Entering the card number',
  expiry: 'Entering the expiry date',
  security_code: 'Entering the security code',
  bank_account: 'Entering a bank account',
  postal_code: 'Entering the postal code',
  keep_card: 'Asked whether to keep the card',
  confirmation: 'Asked to confirm',
  paying: 'Card is being charged',
  by_link: 'Can pay by link',
  waiting: 'Waiting for a payment elsewhere',
  leaving: 'Hearing the outcome',
  returning: 'Returning to the agent',
  ended: 'Ending',
};

export const en = {
  title: 'Now',
  lead: 'Live calls and their current steps. Nothing that callers enter is shown.',
  connecting: 'Connecting',
  liveTail: 'Live tail',
  wallBoard: 'Wall board',
  label: 'Live calls, newest first',
  heads: {
    caller: 'Caller',
    step: 'Step',
    amount: 'Amount',
    merchant: 'Merchant',
    order: 'Order',
    duration: 'Duration',
    history: 'History',
    end: 'End',
  },
  numberWithheld: 'Number withheld',
  onTheLine: 'On the line',
  choosing: 'Choosing what to pay',
  byBridge: 'With the agent, by bridge',
  steps,
  onlyNewest: (count: number) =>
    plural(count, {
      one: 'Only the newest # live calls are shown.',
      other: 'Only the newest # live calls are shown.',
    }),
  certificates: {
    title: 'Certificates that end soon',
    expires: 'Expires',
    expired: 'Expired',
    todo: 'Ask the operator of the service to renew them.',
  },
  empty: {
    title: 'No live calls',
    text: 'Each call appears here while it is live, with every step as it happens.',
    tryIt: 'Place a test call',
    past: 'Past calls',
  },
};

export type NowWords = typeof en;
