/** Tips by keypad: the question, the final amount before the charge, and every key that offers nothing. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver, offeredCard } from '../../test/support/conversation-driver.ts';
import { tipsOn } from '../domain/tip.ts';
import type { Terms } from './terms.ts';

const AMOUNT = { amountCents: 4_250, currency: 'USD' } as const;
const TIPS = tipsOn(AMOUNT, [15, 18, 20]);
const [FIFTEEN, EIGHTEEN] = TIPS;
const CARD = '42424242424242420928123';

const keyed = (terms: Partial<Terms> = {}) =>
  ConversationDriver.afterGreeting({ tips: TIPS, ...terms }).pressKeys(CARD);
const confirmation = { name: 'ask', field: 'confirmation', lastFour: '4242', tips: TIPS };

describe('the question for a tip', () => {
  it('comes after the card, and the final amount before the charge', () => {
    const call = keyed();
    expect(call.lastLine).toEqual({ name: 'ask', field: 'tip', attempt: 1, error: null, tips: TIPS });
    call.finishSentence().pressKeys('2');
    expect(call.lastLine).toMatchObject({ ...confirmation, tip: EIGHTEEN });
    expect(call.charges).toEqual([]);
    call.finishSentence().pressKeys('1');
    expect(call.tips).toEqual([765]);
    call.finishSentence().send({ type: 'paid', chargeId: call.chargeId, tipCents: 765 });
    expect(call.lastLine).toEqual({ name: 'succeeded', tipCents: 765 });
    call.finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'succeeded', chargeId: call.chargeId, tipCents: 765 });
  });

  it.each([
    ['zero', (call: ConversationDriver) => call.pressKeys('0')],
    ['silence', (call: ConversationDriver) => call.finishSentence().letWaitExpire()],
    ['three keys that offer nothing', (call: ConversationDriver) => call.pressKeys('789')],
  ])('is answered with no tip by %s, and the amount is confirmed', (_what, answer) => {
    const call = answer(keyed());
    expect(call.lastLine).toMatchObject({ ...confirmation, tips: TIPS });
    expect(call.lastLine).not.toHaveProperty('tip');
    expect(call.pressKeys('1').tips).toEqual([0]);
  });

  it('is asked again after another key, and after star', () => {
    const call = keyed().pressKeys('7');
    expect(call.lastLine).toMatchObject({ field: 'tip', attempt: 2, error: 'looks_wrong' });
    expect(call.pressKeys('*').lastLine).toMatchObject({ field: 'tip', attempt: 2, error: 'started_over' });
    expect(call.pressKeys('*').returnedWith ?? call.lastLine).toEqual({ name: 'canceled' });
    expect(call.charges).toEqual([]);
  });

  it('is asked for a saved card, too, which is never charged before the confirmation', () => {
    const saved = offeredCard('visa', 'VISA', '1881');
    const call = ConversationDriver.afterGreeting({ tips: TIPS, savedCards: [saved] }).pressKeys('1');
    expect(call.lastLine).toMatchObject({ field: 'tip' });
    expect(call.pressKeys('1').lastLine).toMatchObject({ field: 'confirmation', lastFour: '1881', tip: FIFTEEN });
    expect(call.savedCharges).toEqual([]);
    expect(call.pressKeys('1').savedCharges).toEqual([saved.id]);
    expect(call.tips).toEqual([638]);
  });

  it('can be answered again at the confirmation', () => {
    const call = keyed().pressKeys('24');
    expect(call.lastLine).toMatchObject({ field: 'tip', attempt: 1 });
    expect(call.pressKeys('11').tips).toEqual([638]);
  });

  it('can be answered again with a saved card, which stays chosen', () => {
    const saved = offeredCard('visa', 'VISA', '1881');
    const call = ConversationDriver.afterGreeting({ tips: TIPS, savedCards: [saved] }).pressKeys('114');
    expect(call.lastLine).toMatchObject({ field: 'tip', attempt: 1 });
    call.pressKeys('21');
    expect([call.savedCharges, call.tips]).toEqual([[saved.id], [765]]);
  });

  it('is not repeated for another card, whose confirmation says the amount with the tip', () => {
    const call = keyed().pressKeys('22');
    call.pressKeys(CARD);
    expect(call.lastLine).toMatchObject({ ...confirmation, tip: EIGHTEEN });
    call.pressKeys('1').finishSentence().send({ type: 'declined', chargeId: call.chargeId, code: 'do_not_honor' });
    call.pressKeys(CARD);
    expect(call.lastLine).toMatchObject({ ...confirmation, tip: EIGHTEEN });
    expect(call.pressKeys('1').tips).toEqual([765, 765]);
  });

  it('leaves a confirmation of three keys as it was if the merchant offers no tips', () => {
    const call = keyed({ tips: [], asksConfirmation: true }).pressKeys('4');
    expect(call.lastLine).toMatchObject({ field: 'confirmation', error: 'looks_wrong' });
  });
});

it('offers no tip that rounds to nothing, or to more than can be charged', () => {
  expect(tipsOn({ amountCents: 2, currency: 'USD' }, [10, 50])).toEqual([{ percent: 50, tipCents: 1 }]);
  expect(tipsOn({ amountCents: 99_999_999, currency: 'USD' }, [1])).toEqual([]);
  expect(tipsOn({ amountCents: 1_005, currency: 'JPY' }, [10])).toEqual([{ percent: 10, tipCents: 101 }]);
});
