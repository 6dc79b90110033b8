/** What the scripted caller does on the line, as data: what it keys when asked, how fast, and what goes wrong. */
import type { Field } from '../flow/types.ts';
import { testCard } from '../payments/sandbox/cards.ts';

/** What the caller does instead of going on. */
export type Deed = 'hang_up' | 'vanish' | 'cancel' | 'call_again';

export interface Script {
  about: string;
  /** Keys for each time a field is asked, the last one again and again; a field without answers is met with silence. */
  answers: Partial<Record<Field, readonly string[]>>;
  /** Slug of the merchant who is called where none is named; the diner by default. */
  merchant?: string;
  /** The caller's number where none is given; the demo caller's by default. */
  caller?: string;
  /** Between two keys, in ms. Default 60. */
  gapMs?: number;
  /** Key as soon as the sentence starts instead of hearing it out. */
  bargesIn?: boolean;
  twist?: { when: 'ringing' | 'answered' | 'mid_card' | 'paying'; deed: Deed };
  /** `X-Ringkey-Outcome` at the agent's door; null when the caller never gets back there. */
  expects: 'succeeded' | 'failed' | 'pending' | 'canceled' | null;
  /** The session's charge afterwards; null for none. */
  charge: 'succeeded' | 'failed' | 'pending' | null;
  /** Whether the caller's number has the card saved afterwards; not looked at where not given. */
  keepsCard?: boolean;
}

const FUTURE_EXPIRY = '1230';
const GOOD_CARD = testCard('visa').number;
const DECLINED_CARD = testCard('generic_decline').number;

const CARD: Script['answers'] = {
  card_number: [GOOD_CARD],
  expiry: [FUTURE_EXPIRY],
  security_code: ['123'],
  postal_code: ['94105'],
  keep_card: ['2'],
  confirmation: ['1'],
};

/** Callers of their own, so that nobody else's cards are in the way. */
const MARKET = 'demo-market';

/** Every script by its name on the command line. The card is replaced by `--card` where it is given. */
export const SCRIPTS = {
  pay: {
    about: 'hears each question out, keys a good card, is charged and taken back',
    answers: CARD,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'type-ahead': {
    about: 'keys everything in one go over the greeting',
    answers: { ...CARD, card_number: [`${GOOD_CARD}${FUTURE_EXPIRY}123`] },
    bargesIn: true,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  slow: {
    about: 'takes two seconds between keys',
    answers: CARD,
    gapMs: 2_000,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  star: {
    about: 'loses the thread in the card number, presses * and keys it again',
    answers: { ...CARD, card_number: ['42424242*', GOOD_CARD] },
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'star-star': {
    about: 'presses ** and goes back to the agent unpaid',
    answers: { card_number: ['4242**'] },
    expects: 'canceled',
    charge: null,
  },
  mistype: {
    about: 'keys a wrong digit, a past expiry, then everything right',
    answers: { ...CARD, card_number: ['4242424242424241', GOOD_CARD], expiry: ['0124', FUTURE_EXPIRY] },
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'decline-then-ok': {
    about: 'is declined, then pays with another card',
    answers: { ...CARD, card_number: [DECLINED_CARD, GOOD_CARD] },
    expects: 'succeeded',
    charge: 'succeeded',
  },
  declined: {
    about: 'is declined three times',
    answers: { ...CARD, card_number: [DECLINED_CARD] },
    expects: 'failed',
    charge: 'failed',
  },
  silent: { about: 'never keys anything', answers: {}, expects: 'failed', charge: null },
  'hangup-mid-card': {
    about: 'hangs up in the middle of the card number',
    answers: { card_number: ['42424242'] },
    twist: { when: 'mid_card', deed: 'hang_up' },
    expects: null,
    charge: null,
  },
  'hangup-while-paying': {
    about: 'hangs up while a slow processor works; the charge still settles',
    answers: { ...CARD, card_number: [testCard('slow').number] },
    twist: { when: 'paying', deed: 'hang_up' },
    expects: null,
    charge: 'succeeded',
  },
  cancel: {
    about: 'gives up before the line answers',
    answers: {},
    twist: { when: 'ringing', deed: 'cancel' },
    expects: null,
    charge: null,
  },
  vanish: {
    about: 'disappears without a BYE',
    answers: {},
    twist: { when: 'answered', deed: 'vanish' },
    expects: null,
    charge: null,
  },
  'call-again': {
    about: 'dials the same session a second time while on the line, and is told it is busy',
    answers: CARD,
    twist: { when: 'answered', deed: 'call_again' },
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'save-card': {
    about: 'pays at demo-market and has the card kept for next time; then POST /v1/charge can charge it',
    answers: { ...CARD, keep_card: ['1'], confirmation: ['3'] },
    merchant: MARKET,
    caller: '+15550101301',
    expects: 'succeeded',
    charge: 'succeeded',
    keepsCard: true,
  },
  'no-save': {
    about: 'is asked whether to keep the card, and says nothing: paid, not kept',
    answers: { ...CARD, keep_card: [] },
    merchant: MARKET,
    caller: '+15550101302',
    expects: 'succeeded',
    charge: 'succeeded',
    keepsCard: false,
  },
  pending: {
    about: 'pays with a card whose processor never answers: told not to pay again; the charge settles later',
    answers: { ...CARD, card_number: [testCard('hangs_taken').number] },
    expects: 'pending',
    charge: 'succeeded',
  },
} satisfies Record<string, Script>;

export type ScriptName = keyof typeof SCRIPTS;

const ASKS: readonly [Field, RegExp][] = [
  ['keep_card', /without keeping/i],
  ['confirmation', /press two/i],
  ['security_code', /security code|small digits|digits on the (back|front)/i],
  ['postal_code', /postal code|zip code/i],
  ['expiry', /expiration|september|the month/i],
  ['card_number', /card number|long number|another card/i],
];
/** How a request starts, and not a remark about what was keyed before. */
const REQUEST = /^(now the|please key|once more|to use another card|to pay without)/i;

/** Which field a sentence asks for; null when it asks nothing. */
export function askedBy(text: string): Field | null {
  return (REQUEST.test(text) && ASKS.find(([, pattern]) => pattern.test(text))?.[0]) || null;
}

/** A key sequence as a timeline may show it: of a card number the last four, of all else the count. */
export function masked(field: Field, keys: string): string {
  const digits = keys.replace(/[*#]/g, '').length;
  if (field === 'confirmation' || field === 'keep_card') return keys;
  const stars = keys.endsWith('**') ? ' **' : keys.endsWith('*') ? ' *' : '';
  const shown =
    field === 'card_number' && digits >= 15 && digits <= 16
      ? `${'•'.repeat(digits - 4)}${keys.slice(-4)}`
      : '•'.repeat(digits);
  return `${shown}${stars}`;
}
