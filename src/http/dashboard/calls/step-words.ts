/**
 * The steps of a call's timeline as sentences. Only steps recorded by earlier versions have no sentence of their own.
 */
import { sentence, type Tone } from '../page/parts.tsx';
import { names } from '../words/names/index.ts';
import { callWords } from './words/index.ts';
import type { StepTexts } from './words/steps/en.ts';

/** Who did it. */
type Actor = keyof StepTexts['who'];

interface StepWords {
  /** Who did it, in words: "Caller". */
  kind: string;
  /** "Hangs up". */
  what: string;
  /** "The caller hangs up". */
  whole: string;
  tone?: Tone;
}

const texts = (): StepTexts => callWords().steps;

/** The text of that name; undefined for any other name, including `constructor`. */
const textAt = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

/** A name without words: a step of an earlier version, or a new code. */
const plain = (name: string) => name.replace(/[_.]/g, ' ');

const WHOLE: Readonly<Record<keyof StepTexts['whole'], readonly [actor: Actor, tone?: Tone]>> = {
  invite: ['call'],
  answered: ['call'],
  'end requested': ['call', 'wait'],
  'keys by telephone-event': ['caller'],
  'keys by SIP INFO': ['caller'],
  'keys by sound': ['caller'],
  'merchant chosen': ['caller'],
  'transfer code': ['caller'],
  'session taken': ['call'],
  page_opened: ['caller'],
  'paying_elsewhere page': ['caller'],
  'paying_elsewhere other': ['call'],
  paying_elsewhere: ['call'],
  'bank asks': ['call', 'wait'],
  'declined_elsewhere page': ['call', 'bad'],
  'declined_elsewhere other': ['call', 'bad'],
  declined_elsewhere: ['call', 'bad'],
  'declined_elsewhere heard': ['call', 'bad'],
  'paid_elsewhere heard': ['call', 'good'],
  paid: ['call', 'good'],
  unconfirmed: ['call', 'wait'],
  'unconfirmed heard': ['call', 'wait'],
  saved_card_unusable: ['call', 'bad'],
  'caller hung up': ['caller'],
  'caller gone': ['caller'],
  hung_up: ['call'],
  media_lost: ['call', 'bad'],
  'on hold': ['caller'],
  'back from hold': ['caller'],
  'session timer expired': ['call', 'bad'],
  'say already_paid part': ['line'],
  charge: ['call'],
  send_link: ['caller'],
  'link opted_out': ['call'],
  'link too_often': ['call'],
  'link unavailable': ['call'],
  keypad: ['caller'],
  return: ['call'],
  return_failed: ['call', 'bad'],
  'return_to not dialable': ['call', 'bad'],
  refer: ['call'],
  'refer ringing': ['agent'],
  'refer accepted': ['agent'],
  'refer accepted late': ['agent'],
  bridge: ['call'],
  'bridge failed': ['agent', 'bad'],
  'bridge ended': ['call'],
  'bridge too long': ['call', 'bad'],
  'agent ringing': ['agent'],
  'agent hung up': ['agent'],
  'agent lost': ['agent', 'bad'],
  "agent's media lost": ['agent', 'bad'],
  'agent redirects': ['agent'],
  bridged: ['agent'],
  returned: ['call'],
  end: ['call'],
  'media moved': ['call', 'wait'],
  'keys without an end': ['call', 'wait'],
  'media server lost': ['call', 'bad'],
  'no audio': ['call', 'bad'],
  'no media': ['call', 'bad'],
  'database away': ['call', 'bad'],
  'waits for the SIP server': ['call', 'wait'],
  'SIP server lost': ['call', 'bad'],
  'taken over from a dead process': ['call', 'wait'],
};

/** Steps of the caller or the agent that are whole sentences about something else. */
const SENTENCES: ReadonlySet<string> = new Set(['transfer code', 'agent lost', "agent's media lost"]);

function stepOf(actor: Actor, what: string, tone?: Tone, isSentence = false): StepWords {
  const { who, did } = texts();
  const whole = actor === 'call' || isSentence ? what : did[actor](what);
  return { kind: who[actor], what, whole, ...(tone !== undefined && { tone }) };
}

/** Why a call is not allowed to return to its `return_to`: `return_to not allowed: <reason>`. */
const NOT_ALLOWED = 'return_to not allowed: ';

/** Steps that duplicate another step. */
const ASKING = ['page', 'page_patience', 'link_sent', 'ask merchant'];

/** @returns null for a step that duplicates the one before or after it */
export function stepWords(step: string): StepWords | null {
  const { whole, said } = texts();
  const text = textAt(whole, step);
  if (text !== undefined) {
    const [actor, tone] = textAt(WHOLE, step) ?? (['call'] as const);
    return stepOf(actor, text, tone, SENTENCES.has(step));
  }
  if (isDuplicate(step)) return null;
  const [first = '', second = '', third = ''] = step.split(' ');
  if (first === 'say' && second === 'ask') return stepOf('line', askText(step));
  const sentenceOfLine = first === 'say' && third === '' ? textAt(said, second) : undefined;
  if (sentenceOfLine !== undefined) return stepOf('line', sentenceOfLine);
  return endingWords(step) ?? stepOf('call', sentence(plain(step)));
}

/** Whether the step before or after it says the same: `ask expiry`, `expiry incomplete`, `gave_up no_input`. */
function isDuplicate(step: string): boolean {
  const { asks, faults, said } = texts();
  const [first = '', second = '', third = ''] = step.split(' ');
  if (ASKING.includes(step)) return true;
  if (third !== '') return false;
  if (first === 'ask') return Object.hasOwn(asks, second);
  if (Object.hasOwn(asks, first) || first === 'merchant') return Object.hasOwn(faults, second);
  // The last sentences, each next to its `say`.
  return Object.hasOwn(said, first) && (second === '' || LAST_REASONS.includes(second));
}

const LAST_REASONS = ['no_input', 'invalid_input', 'no_choice', 'declined', 'asked', 'no_payment', 'ended'];

/** Steps with a reason or a SIP status. */
function endingWords(step: string): StepWords | null {
  const { notAllowed, notAllowedBecause } = texts();
  if (step.startsWith(NOT_ALLOWED)) {
    const reason = step.slice(NOT_ALLOWED.length);
    return stepOf('call', notAllowed(textAt(notAllowedBecause, reason) ?? plain(reason)), 'bad');
  }
  const [first = '', second = '', third] = step.split(' ');
  if (first === 'declined') return stepOf('call', declinedText(second), 'bad');
  if (first === 'refused') return refusedWords(second);
  if (first === 'refer') return referWords(second, third);
  if (first === 'bridge' && second === 'failed') return stepOf('agent', bridgeText(third ?? ''), 'bad');
  return null;
}

function declinedText(code: string): string {
  const w = texts();
  if (code === 'processing_error') return w.notProcessed;
  if (code === 'try_again_later') return w.notChargedNow;
  return w.declined(textAt(names().declineCode, code) ?? plain(code));
}

function refusedWords(reason: string): StepWords {
  const { notCharged, refused } = texts();
  const tone = reason.startsWith('already_') ? 'good' : 'bad';
  return stepOf('call', notCharged(textAt(refused, reason) ?? plain(reason)), tone);
}

function referWords(result: string, status: string | undefined): StepWords | null {
  const { refer, withStatus } = texts();
  const what = textAt(refer, result);
  if (what === undefined) return null;
  return stepOf('agent', status === undefined ? what : withStatus(what, status), 'bad', true);
}

function bridgeText(reason: string): string {
  const { bridge, notReached, sipStatus } = texts();
  return notReached(textAt(bridge, reason) ?? (/^\d+$/.test(reason) ? sipStatus(reason) : plain(reason)));
}

/** `say ask expiry 2 in_the_past`. */
function askText(step: string): string {
  const { asks, because, faults } = texts();
  const [, , field = '', attempt = '1', fault] = step.split(' ');
  const [first, again] = textAt(asks, field) ?? [plain(field), plain(field)];
  if (fault === undefined) return attempt === '1' ? first : again;
  return because(again, textAt(faults, fault) ?? plain(fault));
}
