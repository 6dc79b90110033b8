/**
 * The steps of a call's timeline as sentences. Only steps recorded by earlier versions have no sentence of their own.
 */
import { type Tone, words } from '../page/parts.tsx';

interface StepWords {
  /** Who did it. */
  kind: 'Caller' | 'Line' | 'Agent' | 'Call';
  what: string;
  tone?: Tone;
}

const FIELDS: Readonly<Record<string, string>> = {
  card_number: 'the card number',
  expiry: 'the expiry date',
  security_code: 'the security code',
  postal_code: 'the postal code',
  part: 'whether to pay all or a part',
  part_amount: 'the amount of the part',
  tip: 'a tip',
  keep_card: 'whether to keep the card',
  confirmation: 'to confirm',
  saved_card: 'which saved card',
  method: 'whether to pay by card or from a bank account',
  routing_number: 'the routing number',
  account_number: 'the account number',
  account_number_again: 'the account number again',
  account_type: 'the account type',
  debit_terms: 'to authorize the bank debit',
};

/** Why the line asks again. */
export const FAULTS: Readonly<Record<string, string>> = {
  nothing_keyed: 'nothing was entered',
  incomplete: 'it was incomplete',
  looks_wrong: 'it looked invalid',
  card_not_accepted: 'this type of card is not accepted',
  in_the_past: 'it was in the past',
  started_over: 'the caller started over',
  bank_doubts: 'the bank rejected it',
  needed_again: 'it is needed again',
  below_minimum: 'it was less than the smallest part',
  above_total: 'it was more than the amount due',
  numbers_differ: 'the two account numbers differed',
  link_not_sent: 'the link could not be texted',
};

/** What each line says, by its name. */
const SAID: Readonly<Record<string, string>> = {
  greeting: 'Greets the caller and says the amount',
  choose_merchant: 'Asks which merchant the call is for',
  choice_left: 'Says goodbye',
  session_not_taken: 'Says that no payment can be taken on this call',
  no_payment_waiting: 'Says that no payment is waiting for this number',
  saved_card_unusable: 'Says that the saved card can’t be used and asks for a card number',
  one_moment: 'Says “one moment”',
  still_working: 'Says that it is still working',
  page_opened: 'Says that the pay page is open',
  page_patience: 'Tells the caller to take their time on the pay page',
  link_sent: 'Says that the link is on its way',
  link_opened: 'Says that the pay page is open',
  link_waiting: 'Says that it is waiting for the payment by link',
  link_stays: 'Says that the link can still be paid',
  paying_elsewhere: 'Says that it is waiting for the other payment',
  waiting_elsewhere: 'Says that it is still waiting for the other payment',
  declined_elsewhere: 'Says that the other payment did not go through',
  declined: 'Says that the card did not work and what to do next',
  debit_agree: 'Asks whether the caller authorizes the bank debit',
  debited: 'Says that the bank debit is on its way',
  succeeded: 'Says that the payment succeeded',
  paid_elsewhere: 'Says that the payment has arrived',
  unconfirmed: 'Says that the outcome is unknown and not to pay again',
  still_confirming: 'Says that an earlier payment is being confirmed and not to pay again',
  gave_up: 'Says that nothing was charged and stops asking',
  canceled: 'Says that nothing was charged because the caller asked to stop',
  call_ended: 'Says that the call has to end',
  expired: 'Says that the payment has expired',
  already_paid: 'Says that it is already paid',
  already_held: 'Says that the amount is already held',
  too_many_attempts: 'Says that no more cards can be tried for now',
  unavailable: 'Says that no payment can be taken now',
  merchant_fault: 'Says that no payment can be taken and that the card is not the cause',
  keypad_unavailable: 'Says that no card can be taken by phone here',
  goodbye: 'Says that the agent could not be reached and says goodbye',
};

const WHOLE: Readonly<Record<string, StepWords>> = {
  invite: { kind: 'Call', what: 'The call started' },
  answered: { kind: 'Call', what: 'Answered' },
  'end requested': { kind: 'Call', what: 'A user asked to end the call', tone: 'wait' },
  'keys by telephone-event': { kind: 'Caller', what: 'Presses the first key, by telephone-event' },
  'keys by SIP INFO': { kind: 'Caller', what: 'Presses the first key, by SIP INFO' },
  'keys by sound': { kind: 'Caller', what: 'Presses the first key, by sound' },
  'merchant chosen': { kind: 'Caller', what: 'Chooses the merchant' },
  'transfer code': { kind: 'Caller', what: 'The platform dials the transfer code' },
  'session taken': { kind: 'Call', what: 'The call is matched to this payment' },
  page_opened: { kind: 'Caller', what: 'Opens the pay page' },
  'paying_elsewhere page': { kind: 'Caller', what: 'Pays on the pay page' },
  'paying_elsewhere other': { kind: 'Call', what: 'Another payment of this checkout is in progress' },
  paying_elsewhere: { kind: 'Call', what: 'Another payment of this checkout is in progress' },
  'bank asks': { kind: 'Call', what: 'The bank asks the payer to confirm the payment on the pay page', tone: 'wait' },
  'declined_elsewhere page': { kind: 'Call', what: 'The payment on the pay page failed', tone: 'bad' },
  'declined_elsewhere other': { kind: 'Call', what: 'The other payment failed', tone: 'bad' },
  declined_elsewhere: { kind: 'Call', what: 'The other payment failed', tone: 'bad' },
  'declined_elsewhere heard': { kind: 'Call', what: 'The other payment failed', tone: 'bad' },
  'paid_elsewhere heard': { kind: 'Call', what: 'The other payment succeeded', tone: 'good' },
  paid: { kind: 'Call', what: 'The charge succeeded', tone: 'good' },
  unconfirmed: { kind: 'Call', what: 'The outcome of the payment is unknown', tone: 'wait' },
  'unconfirmed heard': { kind: 'Call', what: 'The outcome of the other payment is unknown', tone: 'wait' },
  saved_card_unusable: { kind: 'Call', what: 'The saved card can no longer be used', tone: 'bad' },
  'caller hung up': { kind: 'Caller', what: 'Hangs up' },
  'caller gone': { kind: 'Caller', what: 'Hangs up before the call is answered' },
  hung_up: { kind: 'Call', what: 'The conversation ends: the caller hung up' },
  media_lost: { kind: 'Call', what: 'The conversation ends: the audio was lost', tone: 'bad' },
  'on hold': { kind: 'Caller', what: 'Puts the line on hold' },
  'back from hold': { kind: 'Caller', what: 'Takes the line off hold' },
  'session timer expired': { kind: 'Call', what: 'The SIP session timer expired', tone: 'bad' },
  'say already_paid part': { kind: 'Line', what: 'Says that a part is already paid, and what is left' },
  charge: { kind: 'Call', what: 'The card is sent to the processor' },
  send_link: { kind: 'Caller', what: 'Asks for the link' },
  'link opted_out': { kind: 'Call', what: 'No link is texted: the number has opted out of texts' },
  'link too_often': { kind: 'Call', what: 'No link is texted: too many were sent' },
  'link unavailable': { kind: 'Call', what: 'No link is texted: texts are not available' },
  keypad: { kind: 'Caller', what: 'Pays by keypad instead of the link' },
  return: { kind: 'Call', what: 'Returns to the agent' },
  return_failed: { kind: 'Call', what: 'The caller could not return to the agent', tone: 'bad' },
  'return_to not dialable': { kind: 'Call', what: 'return_to is not an address that can be called', tone: 'bad' },
  refer: { kind: 'Call', what: 'A REFER is sent to the agent' },
  'refer ringing': { kind: 'Agent', what: 'Rings' },
  'refer accepted': { kind: 'Agent', what: 'Answers the call' },
  'refer accepted late': { kind: 'Agent', what: 'Answers the call late' },
  bridge: { kind: 'Call', what: 'Calls the agent to bridge the caller' },
  'bridge failed': { kind: 'Agent', what: 'Could not be reached', tone: 'bad' },
  'bridge ended': { kind: 'Call', what: 'The bridge to the agent ended' },
  'bridge too long': { kind: 'Call', what: 'The bridge to the agent reached its time limit', tone: 'bad' },
  'agent ringing': { kind: 'Agent', what: 'Rings' },
  'agent hung up': { kind: 'Agent', what: 'Hangs up' },
  'agent lost': { kind: 'Agent', what: 'The connection to the agent was lost', tone: 'bad' },
  "agent's media lost": { kind: 'Agent', what: 'The audio of the agent was lost', tone: 'bad' },
  'agent redirects': { kind: 'Agent', what: 'Redirects the call' },
  bridged: { kind: 'Agent', what: 'Answers the call' },
  returned: { kind: 'Call', what: 'The caller is back with the agent' },
  end: { kind: 'Call', what: 'The conversation ends' },
  'media moved': { kind: 'Call', what: 'Moves to another media server', tone: 'wait' },
  'keys without an end': {
    kind: 'Call',
    what: 'Accepts keys although the caller’s phone does not signal their end',
    tone: 'wait',
  },
  'media server lost': { kind: 'Call', what: 'The media server was lost', tone: 'bad' },
  'no audio': { kind: 'Call', what: 'No more audio arrives from the caller', tone: 'bad' },
  'no media': { kind: 'Call', what: 'No media server could take the call', tone: 'bad' },
  'database away': { kind: 'Call', what: 'The database did not respond', tone: 'bad' },
  'waits for the SIP server': { kind: 'Call', what: 'Waits for the SIP server to come back', tone: 'wait' },
  'SIP server lost': { kind: 'Call', what: 'The SIP server was lost', tone: 'bad' },
  'taken over from a dead process': {
    kind: 'Call',
    what: 'Another process took over after one died',
    tone: 'wait',
  },
};

/** Why the card was not charged: `refused <reason>`. */
const REFUSED: Readonly<Record<string, string>> = {
  expired: 'the checkout has expired',
  too_many_attempts: 'too many attempts failed',
  unavailable: 'payments are not available',
  already_paid: 'there is already a payment',
  already_held: 'the amount is already held',
  merchant_fault: 'the processor rejects this merchant’s payments',
  keypad_unavailable: 'the processor does not accept cards by keypad',
};

/** Why a call is not allowed to return to its `return_to`: `return_to not allowed: <reason>`. */
const NOT_ALLOWED = 'return_to not allowed: ';
const NOT_ALLOWED_BECAUSE: Readonly<Record<string, string>> = {
  host_not_allowed: 'its host is not on the account’s allowlist',
  number_not_allowed: 'its number has no allowed prefix',
  number_refused: 'emergency and premium numbers are never called',
  address_not_allowed: 'it resolves to an address that is not allowed',
};

/** Steps that duplicate another step. */
const ASKING = ['page', 'page_patience', 'link_sent', 'ask merchant'];

/** @returns null for a step that duplicates the one before or after it */
export function stepWords(step: string): StepWords | null {
  const whole = WHOLE[step];
  if (whole !== undefined) return whole;
  if (isDuplicate(step)) return null;
  const [first = '', second = '', third = ''] = step.split(' ');
  if (first === 'say' && second === 'ask') return askWords(step);
  const said = first === 'say' && third === '' ? SAID[second] : undefined;
  if (said !== undefined) return { kind: 'Line', what: said };
  return endingWords(step) ?? { kind: 'Call', what: words(step) };
}

/** Whether the step before or after it says the same: `ask expiry`, `expiry incomplete`, `gave_up no_input`. */
function isDuplicate(step: string): boolean {
  const [first = '', second = '', third = ''] = step.split(' ');
  if (ASKING.includes(step)) return true;
  if (third !== '') return false;
  if (first === 'ask') return FIELDS[second] !== undefined;
  if (FIELDS[first] !== undefined || first === 'merchant') return FAULTS[second] !== undefined;
  // The last sentences, each next to its `say`.
  return SAID[first] !== undefined && (second === '' || LAST_REASONS.includes(second));
}

const LAST_REASONS = ['no_input', 'invalid_input', 'no_choice', 'declined', 'asked', 'no_payment', 'ended'];

/** Steps with a reason or a SIP status. */
function endingWords(step: string): StepWords | null {
  if (step.startsWith(NOT_ALLOWED)) {
    const why = NOT_ALLOWED_BECAUSE[step.slice(NOT_ALLOWED.length)] ?? words(step.slice(NOT_ALLOWED.length));
    return { kind: 'Call', what: `The call is not allowed to go to return_to: ${why}`, tone: 'bad' };
  }
  const [first = '', second = '', third] = step.split(' ');
  const status = third === undefined ? '' : `, ${third}`;
  if (first === 'declined') return declinedWords(second);
  if (first === 'refused') return refusedWords(second);
  if (first === 'refer') return referWords(second, status);
  if (first === 'bridge' && second === 'failed') return bridgeWords(third ?? '');
  return null;
}

function declinedWords(code: string): StepWords {
  const cause = { processing_error: 'could not be processed', try_again_later: 'could not be charged at that moment' }[
    code
  ];
  const what = cause === undefined ? `The bank declined: ${words(code).toLowerCase()}` : `The card ${cause}`;
  return { kind: 'Call', what, tone: 'bad' };
}

function refusedWords(reason: string): StepWords {
  const why = REFUSED[reason] ?? words(reason).toLowerCase();
  return {
    kind: 'Call',
    what: `The card is not charged: ${why}`,
    tone: reason.startsWith('already_') ? 'good' : 'bad',
  };
}

function referWords(result: string, status: string): StepWords | null {
  const what = {
    refused: `The REFER was refused${status}`,
    failed: `The agent could not be reached by REFER${status}`,
    timeout: `The REFER timed out${status}`,
    connection_lost: 'The connection to the SIP server broke before the REFER was answered',
    leg_gone: `The caller hung up before the REFER was answered${status}`,
  }[result];
  return what === undefined ? null : { kind: 'Agent', what, tone: 'bad' };
}

function bridgeWords(reason: string): StepWords {
  const why = {
    no_server: 'no media server is available',
    no_common_codec: 'no common codec',
    encryption: 'the audio encryption does not match',
    host_name: 'the SDP contains a host name',
    full: 'no media server is available',
  }[reason];
  const because = why ?? (/^\d+$/.test(reason) ? `SIP status ${reason}` : words(reason).toLowerCase());
  return { kind: 'Agent', what: `Could not be reached: ${because}`, tone: 'bad' };
}

/** `say ask expiry 2 in_the_past`. */
function askWords(step: string): StepWords {
  const [, , field = '', attempt = '1', fault] = step.split(' ');
  const what = FIELDS[field] ?? words(field).toLowerCase();
  const because = fault === undefined ? '' : `: ${FAULTS[fault] ?? words(fault).toLowerCase()}`;
  const isFirst = attempt === '1' && fault === undefined;
  return { kind: 'Line', what: `${isFirst ? 'Asks' : 'Asks again'} ${askedFor(field, what)}${because}` };
}

/** "Asks for the expiry date", but "asks whether to keep the card". */
const askedFor = (field: string, what: string) =>
  ['keep_card', 'confirmation', 'saved_card'].includes(field) ? what : `for ${what}`;
