/** Saved cards by keypad: the offer, the list, the charge, and what becomes of them. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver, offeredCard } from '../../test/support/conversation-driver.ts';
import type { Terms } from './types.ts';

const VISA = offeredCard('visa', 'VISA', '1881');
const AMEX = offeredCard('amex', 'AMERICAN_EXPRESS', '0005');
const ONE = { savedCards: [VISA] };
const TWO = { savedCards: [AMEX, VISA] };
const said = ({ brand, lastFour }: typeof VISA) => ({ brand, lastFour });
const GOOD_CARD = '42424242424242420928123';

const greeted = (terms: Partial<Terms>) => ConversationDriver.afterGreeting(terms);
const chosen = () => greeted(ONE).pressKeys('1');

describe('one saved card', () => {
  it('is offered with the greeting, and charged by 1', () => {
    const call = chosen();
    expect(call.lines[0]).toEqual({ name: 'greeting', savedCards: [said(VISA)] });
    expect(call.savedCharges).toEqual([VISA.id]);
    expect(call.charges).toEqual([]);
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    call.finishSentence().send({ type: 'paid', chargeId: call.chargeId });
    expect(call.lastLine).toEqual({ name: 'succeeded' });
  });

  it('is charged once by 1 pressed twice fast', () => {
    expect(greeted(ONE).pressKeys('11').savedCharges).toEqual([VISA.id]);
  });

  it('is confirmed where the merchant asks for it', () => {
    const call = greeted({ ...ONE, asksConfirmation: true, asksToKeepCard: true }).pressKeys('1');
    expect(call.savedCharges).toEqual([]);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'confirmation', attempt: 1, error: null, lastFour: '1881' });
    expect(call.finishSentence().pressKeys('1').savedCharges).toEqual([VISA.id]);
  });

  it.each([
    ['in the middle of the greeting', () => new ConversationDriver(ONE).send({ type: 'answered' })],
    ['before the call is answered', () => new ConversationDriver(ONE)],
  ])('is confirmed in any case by a 1 %s: the offer was not heard', (_when, start) => {
    const call = start().pressKeys('1');
    expect(call.savedCharges).toEqual([]);
    expect(call.lastLine).toMatchObject({ name: 'ask', field: 'confirmation', lastFour: '1881' });
    expect(call.finishSentence().pressKeys('1').savedCharges).toEqual([VISA.id]);
  });

  it('is not charged when the question to confirm it is met with silence', () => {
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

  it('gives way to a card number that begins after a stray 1', () => {
    const call = new ConversationDriver(ONE).send({ type: 'answered' }).pressKeys(`1${GOOD_CARD}`);
    expect([call.savedCharges, call.charges.length]).toEqual([[], 1]);
  });

  it('leaves a card number typed ahead as it was', () => {
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

  it('is no 1 in the middle of a number or in another field', () => {
    const call = greeted(ONE).pressKeys('4111111111111111').pressKeys('1228123');
    expect([call.savedCharges, call.charges.length]).toEqual([[], 1]);
  });

  it('is on offer in the other language, and beside the link', () => {
    const call = greeted({ ...ONE, offersLanguage: true, canTextLink: true }).pressKeys('9');
    expect(call.lastLine).toEqual({ name: 'greeting', savedCards: [said(VISA)] });
    call.pressKeys('##').send({ type: 'link', result: 'not_sent', reason: 'opted_out' });
    expect(call.lastLine).toMatchObject({ error: 'link_not_sent', savedCards: [said(VISA)] });
    expect(call.finishSentence().pressKeys('1').savedCharges).toEqual([VISA.id]);
  });

  it('is on offer no more once the link is texted', () => {
    const call = greeted({ ...ONE, canTextLink: true }).pressKeys('##');
    call.send({ type: 'link', result: 'sent', lastTwo: '34' }).finishSentence().pressKeys('1');
    expect(call.savedCharges).toEqual([]);
    expect(call.state).toMatchObject({ kind: 'collecting', question: { field: 'card_number' } });
  });
});

describe('several saved cards', () => {
  const listed = (terms: Partial<Terms> = {}) => greeted({ ...TWO, ...terms }).pressKeys('1');

  it('are listed by 1, each with its key', () => {
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

  it('are confirmed when the list was not heard to its end, which 1 pressed twice fast is too', () => {
    const call = greeted(TWO).pressKeys('11');
    expect(call.savedCharges).toEqual([]);
    expect(call.lastLine).toMatchObject({ field: 'confirmation', lastFour: '0005' });
  });

  it('lead to the others after 2 at the confirmation, and then to a card number', () => {
    const call = listed({ asksConfirmation: true }).pressKeys('12');
    expect(call.lastLine).toMatchObject({ field: 'saved_card', savedCards: [said(VISA)] });
    call.pressKeys('12');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: null });
  });

  it('lead to a card number by star, and to the agent by a second one', () => {
    const call = listed().pressKeys('*');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: null });
    expect(call.pressKeys('*').lastLine).toEqual({ name: 'canceled' });
    const other = listed().pressKeys(`*`).finishSentence().pressKeys(GOOD_CARD);
    expect([other.savedCharges, other.charges.length]).toEqual([[], 1]);
  });

  it('are listed again after a key without a card, three times at most', () => {
    const call = listed().pressKeys('9');
    expect(call.lastLine).toMatchObject({ field: 'saved_card', attempt: 2, error: 'looks_wrong' });
    expect(call.pressKeys('09').lastLine).toEqual({ name: 'gave_up', reason: 'invalid_input' });
  });

  it('give way to a card number whose first digit is no card of the list', () => {
    const call = listed().pressKeys(GOOD_CARD);
    expect([call.savedCharges, call.charges.length]).toEqual([[], 1]);
  });

  it('are listed again after silence, and beside the link', () => {
    const call = listed({ canTextLink: true }).finishSentence().letWaitExpire();
    expect(call.lastLine).toMatchObject({ field: 'saved_card', attempt: 2, error: 'nothing_keyed' });
    call.pressKeys('##').send({ type: 'link', result: 'not_sent', reason: 'too_often' });
    expect(call.lastLine).toMatchObject({ field: 'saved_card', error: 'link_not_sent' });
    expect(call.finishSentence().pressKeys('1').savedCharges).toEqual([AMEX.id]);
  });
});

describe('a saved card that is not charged', () => {
  it.each(['insufficient_funds', 'expired_card', 'incorrect_cvc'] as const)(
    'asks for a card by keypad when it is declined (%s), and counts',
    (code) => {
      const call = chosen();
      call.finishSentence().send({ type: 'declined', chargeId: call.chargeId, code });
      expect(call.lastLine).toEqual({ name: 'declined', code, next: 'card_number', wasSaved: true });
      expect(call.state).toMatchObject({ context: { declines: 1, savedCards: [] } });
      call.pressKeys(GOOD_CARD);
      expect([call.savedCharges.length, call.charges.length]).toEqual([1, 1]);
    },
  );

  it('asks for a card by keypad when it may not be used any more, and is no decline', () => {
    const call = chosen().finishSentence().send({ type: 'saved_card_unusable' });
    expect(call.lastLine).toEqual({ name: 'saved_card_unusable' });
    expect(call.state).toMatchObject({ kind: 'collecting', context: { declines: 0, savedCards: [] } });
    expect(call.pressKeys(GOOD_CARD).charges).toHaveLength(1);
  });

  it('may still be charged after a hang-up: the answer is awaited', () => {
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
