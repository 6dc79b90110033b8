/** The steps of a call's timeline in whole words: who did what. Steps without words of their own are shown as they are written. */
import { type Tone, words } from './views/parts.tsx';

export interface StepWords {
  /** Whose doing it is. */
  kind: 'Caller' | 'Line' | 'Agent' | 'Call';
  what: string;
  tone?: Tone;
}

const FIELDS: Readonly<Record<string, string>> = {
  card_number: 'the card number',
  expiry: 'the expiry date',
  security_code: 'the security code',
  postal_code: 'the postal code',
  keep_card: 'whether to keep the card',
  confirmation: 'to confirm',
  saved_card: 'which saved card',
};

/** The sentence before them says the same. */
const TOLD_BESIDE = ['call_ended', 'link_stays ended'];

const FAULTS: Readonly<Record<string, string>> = {
  nothing_keyed: 'nothing was entered',
  incomplete: 'it was not complete',
  looks_wrong: 'it looked wrong',
  card_not_accepted: 'the card is of a kind that is not taken',
  in_the_past: 'it was in the past',
  started_over: 'the caller started over',
  bank_doubts: 'the bank doubts it',
  needed_again: 'it is needed once more',
  link_not_sent: 'the link could not be texted',
};

const WHOLE: Readonly<Record<string, StepWords>> = {
  invite: { kind: 'Call', what: 'The call came in' },
  answered: { kind: 'Call', what: 'Answered' },
  'say greeting': { kind: 'Line', what: 'Greets the caller, says the amount' },
  'say one_moment': { kind: 'Line', what: 'Says “one moment”' },
  'say still_working': { kind: 'Line', what: 'Says that it is still working' },
  'say page_opened': { kind: 'Line', what: 'Says that the pay page is open' },
  'say link_sent': { kind: 'Line', what: 'Says that the link is on its way' },
  'say succeeded': { kind: 'Line', what: 'Says that it is paid' },
  'say paid_elsewhere': { kind: 'Line', what: 'Says that it is paid elsewhere' },
  'say unconfirmed': { kind: 'Line', what: 'Says that the outcome is not known, and not to pay again' },
  'say expired': { kind: 'Line', what: 'Says that the payment has expired' },
  'say unavailable': { kind: 'Line', what: 'Says that no payment can be taken now' },
  'say call_ended': { kind: 'Line', what: 'Says that we have to stop here' },
  'end requested': { kind: 'Call', what: 'Somebody asked to end it', tone: 'wait' },
  'say choose_merchant': { kind: 'Line', what: 'Asks which merchant the call is for' },
  'keys by telephone-event': { kind: 'Caller', what: 'Presses the first key, by telephone-event' },
  'keys by SIP INFO': { kind: 'Caller', what: 'Presses the first key, by SIP INFO' },
  'keys by sound': { kind: 'Caller', what: 'Presses the first key, by sound' },
  'caller hung up': { kind: 'Caller', what: 'Hangs up' },
  'on hold': { kind: 'Caller', what: 'Puts the line on hold' },
  'back from hold': { kind: 'Caller', what: 'Is back from hold' },
  charge: { kind: 'Call', what: 'The card goes to the processor' },
  send_link: { kind: 'Caller', what: 'Asks for the link' },
  return: { kind: 'Call', what: 'Goes back to the agent' },
  refer: { kind: 'Call', what: 'REFER to the agent is sent' },
  'refer ringing': { kind: 'Agent', what: 'Rings' },
  'refer accepted': { kind: 'Agent', what: 'Has taken the call' },
  'refer accepted late': { kind: 'Agent', what: 'Has taken the call, late' },
  bridge: { kind: 'Call', what: 'The agent is called, to join the two' },
  'bridge failed': { kind: 'Agent', what: 'Could not be reached', tone: 'bad' },
  'agent ringing': { kind: 'Agent', what: 'Rings' },
  bridged: { kind: 'Agent', what: 'Has taken the call' },
  returned: { kind: 'Call', what: 'The caller is back with the agent' },
  'media moved': { kind: 'Call', what: 'Goes on at another media server', tone: 'wait' },
  'media server lost': { kind: 'Call', what: 'The media server was lost', tone: 'bad' },
  'no audio': { kind: 'Call', what: 'Nothing is heard of the caller any more', tone: 'bad' },
  'SIP server lost': { kind: 'Call', what: 'The SIP server was lost', tone: 'bad' },
};

/** @returns null for a step that another one beside it tells */
export function stepWords(step: string): StepWords | null {
  const whole = WHOLE[step];
  if (whole !== undefined) return whole;
  if (TOLD_BESIDE.includes(step)) return null;
  const [first = '', second = '', third = '', fourth = ''] = step.split(' ');
  if (first === 'say' && second === 'ask') return askWords(step);
  if (first === 'say') return { kind: 'Line', what: `Says: ${words(second).toLowerCase()}` };
  // The sentence before it says the same.
  if (first === 'ask' && third === '' && FIELDS[second] !== undefined) return null;
  const [field, fault] = [FIELDS[first], FAULTS[second]];
  if (field !== undefined && fault !== undefined && third + fourth === '') return null;
  return { kind: 'Call', what: words(step) };
}

/** `say ask expiry 2 in_the_past`. */
function askWords(step: string): StepWords {
  const [, , field = '', attempt = '1', fault] = step.split(' ');
  const what = FIELDS[field] ?? words(field).toLowerCase();
  const because = fault === undefined ? '' : `: ${FAULTS[fault] ?? words(fault).toLowerCase()}`;
  const isFirst = attempt === '1' && fault === undefined;
  return { kind: 'Line', what: `${isFirst ? 'Asks' : 'Asks again'} ${askedFor(field, what)}${because}` };
}

/** One asks for a number, and whether. */
const askedFor = (field: string, what: string) =>
  ['keep_card', 'confirmation', 'saved_card'].includes(field) ? what : `for ${what}`;
