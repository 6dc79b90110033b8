import { describe, expect, it } from 'vitest';
import { DINER, everyLine, followsText, MERCHANTS, SAVED_CARDS } from '../../test/support/spoken-lines.ts';
import { DECLINE_CODES } from '../domain/charge.ts';
import type { Line } from '../flow/lines.ts';
import type { SpokenMerchant } from '../flow/terms.ts';
import { english } from '../languages/index.ts';
import type { Vocabulary } from './ports.ts';
import { wordingOf } from './wording.ts';

const words = (line: Line, vocabulary: Partial<Vocabulary> = {}) =>
  wordingOf(line, { ...DINER, ...vocabulary }, english)
    .map(({ text }) => text)
    .join(' ');

it('asks to save the card in the merchant’s own words', () => {
  const line = { name: 'ask', field: 'keep_card', attempt: 1, error: null } as const;
  expect(words(line, { saveSentence: 'May we keep this card?' })).toBe(
    'May we keep this card? If you agree, press one. To pay without keeping it, press two.',
  );
});

describe('with tips on offer', () => {
  const tips = [
    { percent: 15, tipCents: 638 },
    { percent: 20, tipCents: 850 },
  ];
  const ask = { name: 'ask', attempt: 1, error: null, tips } as const;

  it('asks for a tip with the amount of each percentage', () => {
    expect(words({ ...ask, field: 'tip' })).toBe(
      'Would you like to add a tip? For 15 percent, six dollars and thirty-eight cents, press one. ' +
        'For 20 percent, eight dollars and fifty cents, press two. For no tip, press zero.',
    );
  });

  it('says the final amount before and after the charge', () => {
    const tip = { percent: 20, tipCents: 850 };
    expect(words({ ...ask, field: 'confirmation', lastFour: '4242', tip })).toBe(
      'Card ending four two four two To pay fifty-one dollars, press one. To use another card, press two. ' +
        'To change the tip, press four.',
    );
    expect(words({ name: 'succeeded', tipCents: 850 })).toMatch(/^You paid fifty-one dollars to Demo Diner\./);
    expect(words({ name: 'paid_elsewhere', tipCents: 850 })).toMatch(/You paid fifty-one dollars to Demo Diner\./);
    expect(words({ name: 'succeeded', tipCents: 850 }, { isHold: true })).toMatch(/a hold of fifty-one dollars/);
  });

  it('plays the percentage digit by digit if nothing can be rendered', () => {
    const plain = wordingOf({ ...ask, field: 'tip' }, DINER, english).flatMap((sentence) => sentence.plain);
    expect(plain.slice(1, 4)).toEqual(['one', 'five', 'percent, press one.']);
  });
});

describe('the English words of a line', () => {
  it.each<[Line, string]>([
    [{ name: 'already_paid' }, 'Good news, this is already paid. Nothing more was charged. Taking you back now.'],
    [
      { name: 'already_paid', remainingCents: 2_250 },
      'Part of this is already paid, and nothing more was charged. To pay the remaining twenty-two dollars and fifty cents, please ask Demo Diner for a new payment. Taking you back now.',
    ],
    [
      { name: 'greeting' },
      'Demo Diner, forty-two dollars and fifty cents. On your keypad, please enter your card number.',
    ],
    [
      { name: 'ask', field: 'expiry', attempt: 2, error: 'incomplete' },
      "That doesn't look complete. Please enter four digits: zero nine, two eight, for September 2028.",
    ],
    [
      { name: 'ask', field: 'security_code', attempt: 3, error: 'nothing_keyed', codeLength: 4 },
      "We didn't hear any keys. Please enter the four small digits above the long number. " +
        'Or press star twice to go back to your agent.',
    ],
    [
      { name: 'ask', field: 'card_number', attempt: 2, error: 'card_not_accepted' },
      "We can't take that kind of card here, but we do take Visa, Mastercard or Discover. " +
        'Please enter the number of another card.',
    ],
    [
      { name: 'ask', field: 'confirmation', attempt: 1, error: null, lastFour: '4242' },
      'Card ending four two four two To pay forty-two dollars and fifty cents, press one. ' +
        'To use another card, press two.',
    ],
    [
      { name: 'ask', field: 'keep_card', attempt: 1, error: null },
      'To keep this card for next time, press one. To pay without keeping it, press two.',
    ],
    [
      { name: 'ask', field: 'keep_card', attempt: 2, error: 'looks_wrong' },
      'We need a one or a two here. Press one to keep this card for your next payment here. ' +
        'To pay without keeping it, press two.',
    ],
    [
      { name: 'ask', field: 'confirmation', attempt: 2, error: 'looks_wrong', lastFour: '4242', offersKeeping: true },
      'We need a one, a two or a three here. Card ending four two four two ' +
        'To pay forty-two dollars and fifty cents, press one. To use another card, press two. ' +
        'To pay and keep this card for next time, press three.',
    ],
    [
      { name: 'greeting', savedCards: SAVED_CARDS.slice(0, 1) },
      'Demo Diner, forty-two dollars and fifty cents. Press one for your Visa ending zero one zero nine ' +
        'Or enter your card number on your keypad.',
    ],
    [
      { name: 'greeting', savedCards: SAVED_CARDS },
      'Demo Diner, forty-two dollars and fifty cents. For your saved cards, press one. ' +
        'Or enter your card number on your keypad.',
    ],
    [
      { name: 'ask', field: 'saved_card', attempt: 1, error: null, savedCards: SAVED_CARDS.slice(3) },
      'Press one for your Mastercard ending zero one three nine Press two for your card ending zero one four nine ' +
        'Or press star to enter a card number.',
    ],
    [
      { name: 'ask', field: 'saved_card', attempt: 3, error: 'looks_wrong', savedCards: SAVED_CARDS.slice(0, 1) },
      "There's no card on that key. Press one for your Visa ending zero one zero nine " +
        'Or press star to enter a card number. Or press star twice to go back to your agent.',
    ],
    [
      { name: 'saved_card_unusable' },
      "We're sorry, that saved card can't be used on this call. Nothing was charged. " +
        'On your keypad, please enter your card number.',
    ],
    [
      { name: 'declined', code: 'expired_card', next: 'card_number', wasSaved: true },
      "We're sorry, this card can't be used for this payment. Nothing was charged. " +
        'Please enter the number of another card. Or press star twice to go back to your agent.',
    ],
    [{ name: 'greeting', byLink: true }, 'Demo Diner, forty-two dollars and fifty cents.'],
    [
      { name: 'choose_merchant', merchants: MERCHANTS.slice(0, 2), attempt: 1, error: null },
      'Who would you like to pay? For Demo Books, press one. For Demo Diner, press two.',
    ],
    [
      { name: 'choose_merchant', merchants: MERCHANTS, attempt: 2, error: 'looks_wrong' },
      "There's no payment on that key. Who would you like to pay? " +
        'For Demo Books, press one. For Demo Diner, press two. For Demo Market, press three.',
    ],
    [{ name: 'choice_left' }, 'Goodbye.'],
    [
      { name: 'greeting', back: 'after_call' },
      'Welcome back. Demo Diner, forty-two dollars and fifty cents. On your keypad, please enter your card number.',
    ],
    [
      { name: 'greeting', back: 'link_texted' },
      'Welcome back. Demo Diner, forty-two dollars and fifty cents. You can pay with the link we texted you. ' +
        'Or enter your card number on your keypad.',
    ],
    [
      { name: 'greeting', back: 'link_texted', byLink: true },
      'Welcome back. Demo Diner, forty-two dollars and fifty cents.',
    ],
    [
      { name: 'link_sent', lastTwo: '34', byLink: 'or_keypad' },
      "We're texting you a link to pay, to the number ending three four We'll stay on the line while you pay there. " +
        'Or enter your card number on your keypad. Or press star twice to go back to your agent.',
    ],
    [
      { name: 'link_waiting', isOpened: false, choices: null },
      "We're still here. Open the link in the text whenever you're ready.",
    ],
    [
      { name: 'link_waiting', isOpened: true, choices: 'link_only' },
      "We're still here. Take your time on the page. Or press star twice to go back to your agent.",
    ],
    [
      { name: 'declined_elsewhere', by: 'other', byLink: 'or_keypad' },
      "That payment didn't go through, and nothing was charged. You can pay with the link we texted you. " +
        'Or enter your card number on your keypad. Or press star twice to go back to your agent.',
    ],
    [
      { name: 'link_stays', reason: 'no_payment' },
      "We haven't seen a payment yet. You can still pay with the link we texted you. Taking you back now.",
    ],
    [
      { name: 'goodbye', outcome: 'agent' },
      "We couldn't reach your agent. You can still pay with the link we texted you. Goodbye.",
    ],
    [
      { name: 'ask', field: 'expiry', attempt: 3, error: 'link_not_sent' },
      "We're sorry, we can't text you a link right now. Please enter two digits for the month, then two for the year. " +
        'Or press star twice to go back to your agent.',
    ],
    [
      { name: 'succeeded', cardSaved: true },
      'You paid forty-two dollars and fifty cents to Demo Diner. Your card is kept. ' +
        "We'll text you a receipt. Taking you back now.",
    ],
    [
      { name: 'declined', code: 'insufficient_funds', next: 'card_number' },
      "We're sorry, your bank didn't approve this card. Nothing was charged. " +
        'Please enter the number of another card. Or press star twice to go back to your agent.',
    ],
    [
      { name: 'declined', code: 'insufficient_funds', next: 'card_number', offersLink: true },
      "We're sorry, your bank didn't approve this card. Nothing was charged. Please enter the number of another card. " +
        "Or press pound twice, and we'll text you a link to pay. Or press star twice to go back to your agent.",
    ],
    [
      { name: 'succeeded' },
      "You paid forty-two dollars and fifty cents to Demo Diner. We'll text you a receipt. Taking you back now.",
    ],
    [
      { name: 'unconfirmed' },
      "We couldn't confirm this yet. Please don't pay again. We'll text you as soon as we know. Taking you back now.",
    ],
  ])('of %o', (line, expected) => expect(words(line)).toBe(expected));

  describe('of a list of merchants', () => {
    const amount = { amountCents: 4_250, currency: 'USD' } as const;
    const listed = (...merchants: SpokenMerchant[]) =>
      words({ name: 'choose_merchant', merchants, attempt: 1, error: null }).replace('Who would you like to pay? ', '');

    it('say the amount if two merchants have the same name', () => {
      const other = { amountCents: 1_000, currency: 'USD' } as const;
      expect(listed({ businessName: 'Diner', amount }, { businessName: 'DINER ', amount: other })).toBe(
        'For Diner, forty-two dollars and fifty cents, press one. For DINER, ten dollars, press two.',
      );
    });

    it('cut a long name after a word, or anywhere if it has only one', () => {
      const long = `The ${'very '.repeat(40)}long name`;
      expect(listed({ businessName: long, amount })).toBe(`For The ${'very '.repeat(7).trim()}, press one.`);
      expect(listed({ businessName: 'ñ'.repeat(200), amount })).toBe(`For ${'ñ'.repeat(40)}, press one.`);
    });

    it('say a name literally, on one line', () => {
      expect(listed({ businessName: '{amount} $& \n<break/>\u0007', amount })).toBe(
        'For {amount} $& <break/>, press one.',
      );
    });
  });

  it('promise a text only if one can be sent', () => {
    const promised = (canText: boolean) =>
      everyLine().filter((line) => !followsText(line) && /\btext(ed)?\b|message/i.test(words(line, { canText })));
    expect(promised(false)).toEqual([]);
    expect(promised(true).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['succeeded', 'unconfirmed', 'goodbye']),
    );
    expect(words({ name: 'unconfirmed' }, { canText: false })).toBe(
      "We couldn't confirm this yet. Please don't pay again. Taking you back now.",
    );
    const confirming = (textFollows: boolean, canText: boolean) =>
      words({ name: 'still_confirming', textFollows }, { canText });
    const plain = "We're still confirming your payment. Please don't pay again. Taking you back now.";
    expect(confirming(true, true)).toBe(plain.replace('Taking', "We'll text you as soon as we know. Taking"));
    expect([confirming(true, false), confirming(false, true)]).toEqual([plain, plain]);
    expect(words({ name: 'goodbye', outcome: 'pending' }, { canText: false })).toMatch(/don't pay again\. Goodbye\.$/);
  });

  it('offer the agent only if there is one', () => {
    const alone = everyLine().map((line) => words(line, { returns: false }));
    expect(
      alone.filter((text) => /your agent\.$|back now/.test(text.replace("couldn't reach your agent.", ''))),
    ).toEqual([]);
    expect(words({ name: 'canceled' }, { returns: false })).toBe('All right, nothing was charged. Goodbye.');
  });

  it("are replaced by the checkout's own message", () => {
    const messages = { successMessage: 'Enjoy\nyour meal!', failureMessage: 'Pay at the door.' };
    expect(words({ name: 'succeeded' }, { ...messages, returns: false })).toBe('Enjoy your meal!');
    expect(words({ name: 'succeeded' }, messages)).toMatch(/^You paid .*Taking you back now\.$/);
    expect(words({ name: 'goodbye', outcome: 'succeeded' }, messages)).toBe('Enjoy your meal!');
    expect(words({ name: 'goodbye', outcome: 'pending' }, messages)).toMatch(/don't pay again/);
    expect(words({ name: 'declined', code: 'do_not_honor', next: 'card_number' }, messages)).toMatch(
      /^Pay at the door\. Please enter the number of another card\./,
    );
    expect(words({ name: 'gave_up', reason: 'no_input' }, messages)).toBe(
      "We didn't get your card details, so nothing was charged. Taking you back now.",
    );
  });

  it('never blame the caller and never name a code, and no line is empty', () => {
    for (const line of everyLine()) {
      const text = words(line);
      expect(text).not.toMatch(/invalid|wrong|fail|error|insufficient|lost|stolen|\{|\}|undefined|_/i);
      expect(text.length).toBeGreaterThan(4);
    }
  });

  it('name the bank in the last decline only if the bank declined', () => {
    for (const code of DECLINE_CODES) {
      const wording = words({ name: 'gave_up', reason: 'declined', code, wasSaved: true });
      const isBanks =
        !['processing_error', 'try_again_later'].includes(code) && !/this card can't be used/.test(wording);
      expect([code, /bank/.test(wording)]).toEqual([code, isBanks]);
    }
    expect(words({ name: 'gave_up', reason: 'declined', code: 'processing_error' })).toBe(
      "We're sorry, this card couldn't be used just now. Nothing was charged. Taking you back now.",
    );
  });

  it("never contain the bank's reason", () => {
    const codes = ['generic_decline', 'do_not_honor', 'insufficient_funds', 'lost_card', 'stolen_card'] as const;
    expect(new Set(codes.map((code) => words({ name: 'declined', code, next: 'card_number' }))).size).toBe(1);
  });
});
