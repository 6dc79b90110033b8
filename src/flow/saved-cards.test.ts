/** Saved cards by keypad: the offer, the list, the charge and its results. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver, offeredCard } from '../../test/support/conversation-driver.ts';
import type { Terms } from './terms.ts';

const VISA = offeredCard('visa', 'VISA', '1881');
const AMEX = offeredCard('amex', 'AMERICAN_EXPRESS', '0005');
const ONE = { savedCards: [VISA] };
const TWO = { savedCards: [AMEX, VISA] };
const said = ({ brand, lastFour }: typeof VISA) => ({ brand, lastFour });
const GOOD_CARD = '42424242424242420928123';

const greeted = (terms: Partial<Terms>) => ConversationDriver.afterGreeting(terms);
const chosen = () => greeted(ONE).pressKeys('1');

describe('one saved card', () => {
  it('is offered in the greeting and charged on 1', () => {
    const call = chosen();
    expect(call.lines[0]).toEqual({ name: 'greeting', savedCards: [said(VISA)] });
    expect(call.savedCharges).toEqual([VISA.id]);
    expect(call.charges).toEqual([]);
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    call.finishSentence().send({ type: 'paid', chargeId: call.chargeId });
    expect(call.lastLine).toEqual({ name: 'succeeded' });
  });

  it('is charged once if 1 is pressed twice quickly', () => {
    expect(greeted(ONE).pressKeys('11').savedCharges).toEqual([VISA.id]);
  });

  it('needs a confirmation if the merchant asks for one', () => {
    const call = greeted({ ...ONE, asksConfirmation: true, asksToKeepCard: true }).pressKeys('1');
    expect(call.savedCharges).toEqual([]);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'confirmation', attempt: 1, error: null, lastFour: '1881' });
    expect(call.finishSentence().pressKeys('1').savedCharges).toEqual([VISA.id]);
  });

  it.each([
    ['during the greeting', () => new ConversationDriver(ONE).send({ type: 'answered' })],
    ['before the call is answered', () => new ConversationDriver(ONE)],
  ])('always needs a confirmation after a 1 %s, because the caller has not heard the offer', (_when, start) => {
    const call = start().pressKeys('1');
    expect(call.savedCharges).toEqual([]);
    expect(call.lastLine).toMatchObject({ name: 'ask', field: 'confirmation', lastFour: '1881' });
    expect(call.finishSentence().pressKeys('1').savedCharges).toEqual([VISA.id]);
  });

  it('is not charged after silence at the confirmation', () => {
    const call = new ConversationDriver(ONE).send({ type: 'answered' }).pressKeys('1').finishSentence();
    for (let tries = 0; tries < 2; tries += 1) call.letWaitExpire().finishSentence();
    call.letWaitExpire();
    expect(call.savedCharges).toEqual([]);
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'no_input' });
  });

  it('gives way to a card number after 2 at the confirmation', () => {
    const call = greeted({ ...ONE, asksConfirmation: true }).pressKeys('12');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: null });
    call.pressKeys(`${GOOD_CARD}1`);
    expect([call.savedCharges, call.charges.length]).toEqual([[], 1]);
  });

  it('gives way to a card number after an accidental 1', () => {
    const call = new ConversationDriver(ONE).send({ type: 'answered' }).pressKeys(`1${GOOD_CARD}`);
    expect([call.savedCharges, call.charges.length]).toEqual([[], 1]);
  });

  it('does not affect a card number that is typed ahead', () => {
    const call = greeted(ONE).pressKeys(GOOD_CARD);
    expect([call.savedCharges, call.charges.length]).toEqual([[], 1]);
  });

  it('stays on offer after silence, star and a wrong number', () => {
    const call = greeted(ONE).letWaitExpire();
    const offer = { name: 'ask', field: 'card_number', savedCards: [said(VISA)] };
    expect(call.lastLine).toMatchObject(offer);
    expect(call.pressKeys('4242424242424241').lastLine).toMatchObject({ ...offer, error: 'looks_wrong' });
    expect(call.pressKeys('42*').lastLine).toMatchObject({ ...offer, error: 'started_over' });
    expect(call.finishSentence().pressKeys('1').savedCharges).toEqual([VISA.id]);
  });

  it('is not chosen by a 1 within a number or in another field', () => {
    const call = greeted(ONE).pressKeys('4111111111111111').pressKeys('1228123');
    expect([call.savedCharges, call.charges.length]).toEqual([[], 1]);
  });

  it('is on offer in the other language and together with the link', () => {
    const call = greeted({ ...ONE, offersLanguage: true, canTextLink: true }).pressKeys('9');
    expect(call.lastLine).toEqual({ name: 'greeting', savedCards: [said(VISA)] });
    call.pressKeys('##').send({ type: 'link', result: 'not_sent', reason: 'opted_out' });
    expect(call.lastLine).toMatchObject({ error: 'link_not_sent', savedCards: [said(VISA)] });
    expect(call.finishSentence().pressKeys('1').savedCharges).toEqual([VISA.id]);
  });

  it('is no longer on offer after the link was texted', () => {
    const call = greeted({ ...ONE, canTextLink: true }).pressKeys('##');
    call.send({ type: 'link', result: 'sent', lastTwo: '34' }).finishSentence().pressKeys('1');
    expect(call.savedCharges).toEqual([]);
    expect(call.state).toMatchObject({ kind: 'collecting', question: { field: 'card_number' } });
  });
});

describe('several saved cards', () => {
  const listed = (terms: Partial<Terms> = {}) => greeted({ ...TWO, ...terms }).pressKeys('1');

  it('are listed on 1, each with its key', () => {
    const call = listed();
    expect(call.lastLine).toEqual({
      name: 'ask',
      field: 'saved_card',
      attempt: 1,
      error: null,
      savedCards: [said(AMEX), said(VISA)],
    });
    expect(call.finishSentence().pressKeys('2').savedCharges).toEqual([VISA.id]);
  });

  it('need a confirmation if the list was interrupted, also by 1 pressed twice quickly', () => {
    const call = greeted(TWO).pressKeys('11');
    expect(call.savedCharges).toEqual([]);
    expect(call.lastLine).toMatchObject({ field: 'confirmation', lastFour: '0005' });
  });

  it('offer the others after 2 at the confirmation, and then a card number', () => {
    const call = listed({ asksConfirmation: true }).pressKeys('12');
    expect(call.lastLine).toMatchObject({ field: 'saved_card', savedCards: [said(VISA)] });
    call.pressKeys('12');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: null });
  });

  it('give way to a card number on star, and to the agent on a second star', () => {
    const call = listed().pressKeys('*');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: null });
    expect(call.pressKeys('*').lastLine).toEqual({ name: 'canceled' });
    const other = listed().pressKeys(`*`).finishSentence().pressKeys(GOOD_CARD);
    expect([other.savedCharges, other.charges.length]).toEqual([[], 1]);
  });

  it('are listed again after a key without a card, at most three times', () => {
    const call = listed().pressKeys('9');
    expect(call.lastLine).toMatchObject({ field: 'saved_card', attempt: 2, error: 'looks_wrong' });
    expect(call.pressKeys('09').lastLine).toEqual({ name: 'gave_up', reason: 'invalid_input' });
  });

  it('give way to a card number whose first digit is not in the list', () => {
    const call = listed().pressKeys(GOOD_CARD);
    expect([call.savedCharges, call.charges.length]).toEqual([[], 1]);
  });

  it('are listed again after silence, together with the link', () => {
    const call = listed({ canTextLink: true }).finishSentence().letWaitExpire();
    expect(call.lastLine).toMatchObject({ field: 'saved_card', attempt: 2, error: 'nothing_keyed' });
    call.pressKeys('##').send({ type: 'link', result: 'not_sent', reason: 'too_often' });
    expect(call.lastLine).toMatchObject({ field: 'saved_card', error: 'link_not_sent' });
    expect(call.finishSentence().pressKeys('1').savedCharges).toEqual([AMEX.id]);
  });
});

describe('a saved card that is not charged', () => {
  it.each(['insufficient_funds', 'expired_card', 'incorrect_cvc'] as const)(
    'asks for a card by keypad after a decline (%s), which counts',
    (code) => {
      const call = chosen();
      call.finishSentence().send({ type: 'declined', chargeId: call.chargeId, code });
      expect(call.lastLine).toEqual({ name: 'declined', code, next: 'card_number', wasSaved: true });
      expect(call.state).toMatchObject({ context: { declines: 1, savedCards: [] } });
      call.pressKeys(GOOD_CARD);
      expect([call.savedCharges.length, call.charges.length]).toEqual([1, 1]);
    },
  );

  it('asks for a card by keypad if it can no longer be used, which is no decline', () => {
    const call = chosen().finishSentence().send({ type: 'saved_card_unusable' });
    expect(call.lastLine).toEqual({ name: 'saved_card_unusable' });
    expect(call.state).toMatchObject({ kind: 'collecting', context: { declines: 0, savedCards: [] } });
    expect(call.pressKeys(GOOD_CARD).charges).toHaveLength(1);
  });

  it('may still be charged after a hang-up, so the answer is awaited', () => {
    const { chargeId } = chosen();
    const gone = () => chosen().send({ type: 'hung_up' });
    expect(gone().state.kind).toBe('settling');
    expect(gone().send({ type: 'paid', chargeId }).endedWith).toEqual({ kind: 'succeeded', chargeId });
    expect(gone().send({ type: 'saved_card_unusable' }).endedWith).toEqual({ kind: 'canceled' });
  });

  it('is not offered after a payment elsewhere was declined', () => {
    const call = greeted(ONE);
    const { chargeId } = call;
    call.send({ type: 'paying_elsewhere', by: 'page', chargeId }).finishSentence();
    call.send({ type: 'declined_elsewhere', by: 'page', chargeId, code: 'do_not_honor' }).finishSentence();
    expect(call.pressKeys('1').savedCharges).toEqual([]);
  });
});
