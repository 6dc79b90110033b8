/** The line about the live call at the top of the page. It is kept up to date and never mentions card data. */
import type { CallStage } from '../../../domain/call.ts';
import type { CallPart } from '../../../languages/page.ts';
import type { PageKind } from '../state.ts';
import type { PageView } from './view.ts';

const PARTS: Readonly<Record<CallStage, CallPart | null>> = {
  greeting: 'asking',
  card_number: 'asking',
  expiry: 'keying',
  security_code: 'keying',
  bank_account: 'keying',
  postal_code: 'keying',
  keep_card: 'keying',
  confirmation: 'keying',
  paying: 'paying',
  by_link: 'waiting',
  waiting: 'waiting',
  leaving: 'leaving',
  returning: 'leaving',
  ended: null,
};

/** States in which the payment is possible or in progress. */
const SAID_IN: ReadonlySet<PageKind> = new Set(['ready', 'declined', 'working', 'action', 'pending', 'on_phone']);

export interface OnCall {
  /** Empty if there is nothing to say. */
  text: string;
  /** Whether it asks the payer not to pay here. */
  isStop: boolean;
}

export function onCallOf({
  words,
  state,
  reading: { callStage },
}: Pick<PageView, 'words' | 'state' | 'reading'>): OnCall {
  const part = callStage === null || !SAID_IN.has(state.kind) ? null : PARTS[callStage];
  return { text: part === null ? '' : words.onCall[part], isStop: part === 'paying' };
}
