/**
 * The scripts of the scripted caller, as data: the keys for each question, their speed, and when the call is
 * interrupted.
 */
import type { Field } from '../../flow/terms.ts';
import { TEST_ACCOUNTS, TEST_ROUTING_NUMBER } from '../../payments/sandbox/bank-accounts.ts';
import { testCard } from '../../payments/sandbox/cards.ts';
import type { KeysBy } from './phone.ts';

/** How a script interrupts its call. */
type InterruptionAction = 'hang_up' | 'vanish' | 'cancel' | 'call_again';

export interface Script {
  about: string;
  /**
   * Keys for the first, second … time that the line asks for a field; the last entry repeats. A field without keys is
   * not answered.
   */
  answers: Partial<Record<Field, readonly string[]>>;
  /** Slug of the merchant if the command names none. Default: the demo diner. */
  merchant?: string;
  /** The caller's number if the command names none. Default: the demo caller's. */
  caller?: string;
  /** Pause between two keys, in ms. Default: 60. */
  gapMs?: number;
  /** How the phone sends its keys. Default: telephone events. */
  keysBy?: KeysBy;
  /** Presses 9 at this sentence, and answers no earlier question. */
  changesLanguageAt?: RegExp;
  /** Dials the line's number instead of the checkout's address, while a newer checkout of this merchant also waits. */
  dialsNumberBeside?: string;
  /**
   * Dials the line's number from a platform's own number, and then the checkout's `transfer_code`, as platforms do that
   * do not show the caller's number.
   */
  dialsCode?: boolean;
  /** Presses the key ("one", "two", "three") in the only group of this sentence. */
  choosesMerchantAt?: RegExp;
  /** Presses keys as soon as the line answers, during the greeting. */
  bargesIn?: boolean;
  /** Before any keys: opens the texted link when the line asks for a card, and pays on the page with this card. */
  paysOnPage?: string;
  /** Who requests the text with the link: the agent before the transfer (default), or the line during the call. */
  textedBy?: 'agent' | 'line';
  /** If the demo has no merchant of that slug, one is created and connected to this processor. */
  processor?: string;
  /** Tips in percent that this new merchant offers. */
  tips?: readonly number[];
  /** The smallest part that this new merchant accepts. */
  smallestPartCents?: number;
  /** The checkout has manual capture. */
  isHold?: boolean;
  /** The checkout offers a US bank account, too. */
  offersBankAccount?: boolean;
  /** The checkout only saves the card. */
  savesOnly?: boolean;
  /** Name of a sandbox card that is saved for the caller before the checkout. */
  hasSaved?: string;
  /** Sentences that the line must say, and must not say. */
  hears?: RegExp;
  hearsNot?: RegExp;
  /** Dials the same address once more after the call, with these answers. */
  callsBack?: Script['answers'];
  interruption?: { when: 'ringing' | 'answered' | 'mid_card' | 'paying'; action: InterruptionAction };
  /** Expected last `X-Ringkey-Outcome` at the agent; null if the call does not return to the agent. */
  expects: 'succeeded' | 'failed' | 'pending' | 'canceled' | null;
  /** Expected status of the session's charge after the call; null: no charge. */
  charge: 'succeeded' | 'authorized' | 'failed' | 'pending' | null;
  /** Whether the card must be saved for the caller after the call; not checked if undefined. */
  keepsCard?: boolean;
}

export const FUTURE_EXPIRY = '1230';
export const SECURITY_CODE = '123';
export const POSTAL_CODE = '94105';
export const GOOD_CARD = testCard('visa').number;
export const DECLINED_CARD = testCard('generic_decline').number;

/** The card's fields in a row. */
export const EVERYTHING = `${GOOD_CARD}${FUTURE_EXPIRY}${SECURITY_CODE}`;

const CARD: Script['answers'] = {
  card_number: [GOOD_CARD],
  expiry: [FUTURE_EXPIRY],
  security_code: [SECURITY_CODE],
  postal_code: [POSTAL_CODE],
  keep_card: ['2'],
  confirmation: ['1'],
};

const accountNumber = (name: string) => TEST_ACCOUNTS.find((account) => account.name === name)?.accountNumber ?? '';
const GOOD_ACCOUNT = `${accountNumber('bank_dawdles')}#`;

const ACCOUNT: Script['answers'] = {
  method: ['2'],
  routing_number: [TEST_ROUTING_NUMBER],
  account_number: [GOOD_ACCOUNT],
  account_number_again: [GOOD_ACCOUNT],
  account_type: ['1'],
  debit_terms: ['1'],
};

const SAVED_CARD_OFFER = /press one for your/i;

/**
 * The demo merchant that offers to save cards. Its scripts use separate caller numbers, so that no other card
 * interferes.
 */
const CARD_SAVING_MERCHANT = 'demo-market';

/** The scripts by their names on the command line. */
export const SCRIPTS = {
  pay: {
    about: 'listens to each question, enters a valid card, is charged and returned to the agent',
    answers: CARD,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  hold: {
    about: 'enters a valid card for a hold: the amount is authorized, and captured or voided later',
    answers: CARD,
    isHold: true,
    hears: /placed a hold of/i,
    hearsNot: /you paid/i,
    expects: 'succeeded',
    charge: 'authorized',
  },
  tip: {
    about: 'adds a tip of 18 percent, and hears the amount with it before the charge',
    answers: { ...CARD, tip: ['2'] },
    merchant: 'demo-taxi',
    processor: 'sandbox',
    tips: [15, 18, 20],
    hears: /you paid fifty/i,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  part: {
    about: 'pays a part: first less than the merchant accepts, then twenty dollars, and hears this amount',
    answers: { ...CARD, part: ['2'], part_amount: ['2#', '20#'] },
    merchant: 'demo-garage',
    processor: 'sandbox',
    smallestPartCents: 500,
    hears: /you paid twenty dollars/i,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  ach: {
    about: 'pays from a US bank account, and mistypes both numbers once: the charge stays pending',
    answers: {
      ...ACCOUNT,
      routing_number: ['110000001', TEST_ROUTING_NUMBER],
      account_number_again: ['000123456780#', GOOD_ACCOUNT],
    },
    merchant: 'demo-books',
    offersBankAccount: true,
    hears: /authorize Demo Books to make one electronic debit/i,
    hearsNot: /you paid/i,
    expects: 'pending',
    charge: 'pending',
  },
  'type-ahead': {
    about: 'enters everything at once during the greeting',
    answers: { ...CARD, card_number: [EVERYTHING] },
    bargesIn: true,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  inband: {
    about: 'has a phone that sends keys as tones in the audio, and enters everything during the greeting',
    answers: { ...CARD, card_number: [EVERYTHING] },
    keysBy: 'sound',
    bargesIn: true,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  info: {
    about: 'has a phone that sends each key as a SIP INFO',
    answers: CARD,
    keysBy: 'info',
    expects: 'succeeded',
    charge: 'succeeded',
  },
  slow: {
    about: 'waits two seconds between keys',
    answers: CARD,
    gapMs: 2_000,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  star: {
    about: 'gets confused in the card number, presses * and enters it again',
    answers: { ...CARD, card_number: ['42424242*', GOOD_CARD] },
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'star-star': {
    about: 'presses ** and returns to the agent unpaid',
    answers: { card_number: ['4242**'] },
    expects: 'canceled',
    charge: null,
  },
  mistype: {
    about: 'enters a wrong digit, then a past expiry date, then everything correctly',
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
  silent: { about: 'never presses a key', answers: {}, expects: 'failed', charge: null },
  'hangup-mid-card': {
    about: 'hangs up in the middle of the card number',
    answers: { card_number: ['42424242'] },
    interruption: { when: 'mid_card', action: 'hang_up' },
    expects: null,
    charge: null,
  },
  'call-back': {
    about: 'hangs up in the middle of the card number, dials again, is welcomed back and pays',
    answers: { card_number: ['42424242'] },
    interruption: { when: 'mid_card', action: 'hang_up' },
    callsBack: CARD,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'call-back-unconfirmed': {
    about: 'hangs up while the processor never answers, dials again and is told not to pay again',
    answers: { ...CARD, card_number: [testCard('hangs_not_taken').number] },
    interruption: { when: 'paying', action: 'hang_up' },
    callsBack: CARD,
    expects: 'pending',
    charge: 'pending',
  },
  'hangup-while-paying': {
    about: 'hangs up while a slow processor works; the charge is still settled',
    answers: { ...CARD, card_number: [testCard('slow').number] },
    interruption: { when: 'paying', action: 'hang_up' },
    expects: null,
    charge: 'succeeded',
  },
  cancel: {
    about: 'gives up before the line answers',
    answers: {},
    interruption: { when: 'ringing', action: 'cancel' },
    expects: null,
    charge: null,
  },
  vanish: {
    about: 'disappears without a BYE',
    answers: {},
    interruption: { when: 'answered', action: 'vanish' },
    expects: null,
    charge: null,
  },
  'call-again': {
    about: 'dials the same session a second time while on the line, and is told it is busy',
    answers: CARD,
    interruption: { when: 'answered', action: 'call_again' },
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'saved-card': {
    about: 'presses 1 for the saved card that the line offers',
    answers: { card_number: ['1'], confirmation: ['1'] },
    hears: SAVED_CARD_OFFER,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  ported: {
    about: 'has a number that was ported days ago: the saved card is not offered, and a card is entered',
    answers: CARD,
    caller: '+15550107001',
    hasSaved: 'visa',
    hearsNot: SAVED_CARD_OFFER,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'save-card': {
    about: 'pays at demo-market and saves the card for next time; POST /v1/charge can then charge it',
    answers: { ...CARD, keep_card: ['1'], confirmation: ['3'] },
    merchant: CARD_SAVING_MERCHANT,
    caller: '+15550101301',
    expects: 'succeeded',
    charge: 'succeeded',
    keepsCard: true,
  },
  'save-only': {
    about: 'saves a card at demo-market without a payment: nothing is charged, and the caller agrees to later charges',
    answers: { ...CARD, keep_card: ['1'] },
    merchant: CARD_SAVING_MERCHANT,
    caller: '+15550101306',
    savesOnly: true,
    hears: /your card is saved for/i,
    hearsNot: /you paid/i,
    expects: 'succeeded',
    charge: 'succeeded',
    keepsCard: true,
  },
  'no-save': {
    about: 'is asked whether to save the card, and does not answer: paid, not saved',
    answers: { ...CARD, keep_card: [] },
    merchant: CARD_SAVING_MERCHANT,
    caller: '+15550101302',
    expects: 'succeeded',
    charge: 'succeeded',
    keepsCard: false,
  },
  spanish: {
    about: 'presses 9 at demo-market for Spanish, and pays in Spanish',
    answers: { ...CARD, keep_card: ['2'] },
    merchant: CARD_SAVING_MERCHANT,
    caller: '+15550101303',
    changesLanguageAt: /español, marque nueve/,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'by-number': {
    about: 'dials the line’s number with open payments at two merchants, chooses the diner and pays',
    answers: CARD,
    caller: '+15550101304',
    dialsNumberBeside: 'demo-books',
    choosesMerchantAt: /^For Demo Diner, press (one|two|three)\.$/,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'by-code': {
    about: 'dials the line’s number through a platform that shows its own number, with the transfer code, and pays',
    answers: CARD,
    caller: '+15550101305',
    dialsCode: true,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'pay-by-link': {
    about: 'opens the texted link while the line asks for a card, and pays on the page; the line notices',
    answers: {},
    paysOnPage: GOOD_CARD,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'link-then-keypad': {
    about: 'is declined on the page, then pays on the keypad with another card',
    answers: CARD,
    paysOnPage: DECLINED_CARD,
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'switch-to-link': {
    about: 'presses ## instead of a card, opens the link that the line texts, and pays on the page; the line stays',
    answers: { card_number: ['##'] },
    paysOnPage: GOOD_CARD,
    textedBy: 'line',
    expects: 'succeeded',
    charge: 'succeeded',
  },
  'pay-on-page': {
    about: 'calls a merchant whose processor accepts no keypad cards, gets the link by text and pays on the page',
    answers: {},
    merchant: 'demo-kiosk',
    processor: 'sandbox_page',
    paysOnPage: GOOD_CARD,
    textedBy: 'line',
    expects: 'succeeded',
    charge: 'succeeded',
  },
  pending: {
    about:
      'pays with a card whose processor never answers, and is told not to pay again; the charge is settled minutes later',
    answers: { ...CARD, card_number: [testCard('hangs_not_taken').number] },
    expects: 'pending',
    charge: 'pending',
  },
} satisfies Record<string, Script>;

export type ScriptName = keyof typeof SCRIPTS;
