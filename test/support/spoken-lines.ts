/** Every line that a conversation can say, with a vocabulary for them. */
import { DECLINE_CODES } from '../../src/domain/charge.ts';
import { tipsOn } from '../../src/domain/tip.ts';
import type { Attempt, FieldError, Line } from '../../src/flow/lines.ts';
import type { Field, SpokenMerchant } from '../../src/flow/terms.ts';
import type { Vocabulary } from '../../src/speech/ports.ts';

const TIPS = tipsOn({ amountCents: 4_250, currency: 'USD' }, [15, 18, 20]);

export const DINER: Vocabulary = {
  language: 'en-US',
  voice: null,
  businessName: 'Demo Diner',
  amountCents: 4_250,
  currency: 'USD',
  smallestPartCents: 500,
  tips: TIPS,
  canText: true,
  successMessage: null,
  failureMessage: null,
  returns: true,
  acceptedBrands: ['visa', 'mastercard', 'discover'],
};

/** Five, of brands that have a name in the catalogues, and one that has none. */
export const SAVED_CARDS = ['VISA', 'AMERICAN_EXPRESS', 'DISCOVER', 'MASTERCARD', 'KIOSK'].map((brand, place) => ({
  brand,
  lastFour: `01${place}9`,
}));

export const MERCHANTS: SpokenMerchant[] = ['Demo Books', 'Demo Diner', 'Demo Market'].map((businessName) => ({
  businessName,
  amount: { amountCents: 4_250, currency: 'USD' },
}));

const CARD_FIELDS = ['card_number', 'expiry', 'security_code', 'postal_code'] as const;
const FIELDS: Field[] = [...CARD_FIELDS, 'part', 'part_amount', 'tip', 'keep_card', 'confirmation', 'saved_card'];
const ERRORS: (FieldError | null)[] = [
  null,
  'nothing_keyed',
  'incomplete',
  'looks_wrong',
  'card_not_accepted',
  'in_the_past',
  'started_over',
  'bank_doubts',
  'needed_again',
  'below_minimum',
  'above_total',
  'link_not_sent',
];

/** Said only after a text with the link has gone out, or with an offer of one. */
const LINES_BY_LINK: Line[] = [
  { name: 'link_waiting', isOpened: false, choices: null },
  { name: 'link_opened' },
  { name: 'link_stays', reason: 'asked' },
  { name: 'link_stays', reason: 'no_payment' },
  { name: 'link_stays', reason: 'ended' },
  { name: 'goodbye', outcome: 'agent' },
  ...(['or_keypad', 'link_only'] as const).flatMap((byLink): Line[] => [
    { name: 'link_sent', lastTwo: '34', byLink },
    { name: 'link_waiting', isOpened: false, choices: byLink },
    { name: 'link_waiting', isOpened: true, choices: byLink },
    { name: 'declined_elsewhere', by: 'page', byLink },
    { name: 'declined_elsewhere', by: 'other', byLink },
  ]),
];
export const followsText = (line: Line) =>
  ('offersLink' in line && line.offersLink === true) ||
  ('back' in line && line.back === 'link_texted') ||
  ('error' in line && line.error === 'link_not_sent') ||
  ('hasLink' in line && line.hasLink === true) ||
  LINES_BY_LINK.some((other) => JSON.stringify(other) === JSON.stringify(line));

/** Every line that a conversation can say. */
export function everyLine(): Line[] {
  const asks = FIELDS.flatMap((field) =>
    ([1, 2, 3] as Attempt[]).flatMap((attempt) =>
      ERRORS.flatMap((error) =>
        [3, 4].flatMap((codeLength): Line[] => {
          const line: Line = { name: 'ask', field, attempt, error, codeLength, lastFour: '0123' };
          const offers: Line[] = [SAVED_CARDS.slice(0, 1), SAVED_CARDS].map((savedCards) => ({ ...line, savedCards }));
          if (field === 'tip') return [{ ...line, tips: TIPS }];
          return [line, ...offers, { ...line, offersKeeping: true }, { ...line, offersLink: true }];
        }),
      ),
    ),
  );
  const declines = CARD_FIELDS.flatMap((next) =>
    DECLINE_CODES.flatMap((code): Line[] => {
      const line: Line = { name: 'declined', code, next };
      return [line, { ...line, offersLink: true }, { ...line, wasSaved: true }];
    }),
  );
  return [
    { name: 'greeting' },
    { name: 'greeting', back: 'after_call' },
    { name: 'greeting', back: 'link_texted' },
    { name: 'greeting', savedCards: SAVED_CARDS.slice(0, 1) },
    { name: 'greeting', savedCards: SAVED_CARDS },
    { name: 'greeting', back: 'link_texted', savedCards: SAVED_CARDS },
    ...([null, 'nothing_keyed', 'looks_wrong', 'started_over'] as const).map(
      (error): Line => ({ name: 'choose_merchant', merchants: MERCHANTS, attempt: 1, error }),
    ),
    ...(['choice_left', 'session_not_taken', 'no_payment_waiting'] as const).map((name) => ({ name })),
    { name: 'gave_up', reason: 'no_choice' },
    { name: 'greeting', byLink: true },
    { name: 'waiting_elsewhere', by: 'page', bankAsks: true },
    ...LINES_BY_LINK,
    { name: 'succeeded', cardSaved: true },
    { name: 'succeeded', tipCents: 850 },
    { name: 'succeeded', tipCents: 300, remainingCents: 2_250 },
    { name: 'ask', field: 'confirmation', attempt: 1, error: null, offersPart: true },
    { name: 'ask', field: 'confirmation', attempt: 1, error: null, offersPart: true, remainingCents: 2_250 },
    { name: 'ask', field: 'confirmation', attempt: 1, error: null, tips: TIPS, tip: { percent: 20, tipCents: 850 } },
    ...asks,
    ...declines,
    ...(['one_moment', 'still_working', 'succeeded', 'unconfirmed'] as const).map((name) => ({ name })),
    { name: 'unconfirmed', elsewhere: true },
    ...[true, false].map((textFollows): Line => ({ name: 'still_confirming', textFollows })),
    ...(['page_opened', 'page_patience', 'paid_elsewhere', 'saved_card_unusable'] as const).map((name) => ({ name })),
    ...(['paying_elsewhere', 'waiting_elsewhere', 'declined_elsewhere'] as const).flatMap((name) =>
      (['page', 'other'] as const).map((by): Line => ({ name, by })),
    ),
    ...(['canceled', 'expired', 'already_paid', 'already_held', 'too_many_attempts'] as const).map((name) => ({
      name,
    })),
    { name: 'already_paid', remainingCents: 2_250 },
    ...(['unavailable', 'merchant_fault', 'keypad_unavailable', 'call_ended'] as const).map((name) => ({ name })),
    ...DECLINE_CODES.flatMap((declined): Line[] => [
      { name: 'call_ended', declined },
      { name: 'call_ended', declined, wasSaved: true },
      { name: 'call_ended', declined, hasLink: true },
    ]),
    ...(['no_input', 'invalid_input'] as const).map((reason): Line => ({ name: 'gave_up', reason })),
    ...DECLINE_CODES.flatMap((code): Line[] => [
      { name: 'gave_up', reason: 'declined', code },
      { name: 'gave_up', reason: 'declined', code, wasSaved: true },
    ]),
    ...(['succeeded', 'failed', 'pending', 'canceled', 'expired', 'agent'] as const).map(
      (outcome): Line => ({ name: 'goodbye', outcome }),
    ),
  ];
}
