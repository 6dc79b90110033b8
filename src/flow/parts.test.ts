/** Partial payments by keypad: all or a part, its amount, and the confirmation that says it. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver, offeredCard } from '../../test/support/conversation-driver.ts';
import { tipsOn } from '../domain/tip.ts';
import type { Terms } from './terms.ts';

const PART = { minimumCents: 500, totalCents: 4_250, decimals: 2 };
const CARD = '42424242424242420928123';

const keyed = (terms: Partial<Terms> = {}) =>
  ConversationDriver.afterGreeting({ part: PART, ...terms }).pressKeys(CARD);
const amount = (keys: string, terms: Partial<Terms> = {}) => keyed(terms).pressKeys('2').pressKeys(keys);

describe('the choice between all and a part', () => {
  it('comes after the card, and all is charged after the confirmation', () => {
    const call = keyed();
    expect(call.lastLine).toEqual({ name: 'ask', field: 'part', attempt: 1, error: null });
    call.pressKeys('1');
    const confirmation = { name: 'ask', field: 'confirmation', attempt: 1, error: null, lastFour: '4242' };
    expect(call.lastLine).toEqual({ ...confirmation, offersPart: true });
    expect(call.charges).toEqual([]);
    expect(call.pressKeys('1').parts).toEqual([null]);
  });

  it('is asked again after another key or silence, and given up after the third', () => {
    const call = keyed().pressKeys('7');
    expect(call.lastLine).toMatchObject({ field: 'part', attempt: 2, error: 'looks_wrong' });
    call.finishSentence().letWaitExpire();
    expect(call.lastLine).toMatchObject({ field: 'part', attempt: 3, error: 'nothing_keyed' });
    expect(call.pressKeys('0').lastLine).toEqual({ name: 'gave_up', reason: 'invalid_input' });
    expect(call.charges).toEqual([]);
  });

  it('is not made by a merchant that takes no parts', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(CARD);
    expect(call.parts).toEqual([null]);
  });

  it('comes before the confirmation of a saved card, too', () => {
    const saved = offeredCard('visa', 'VISA', '1881');
    const call = ConversationDriver.afterGreeting({ part: PART, savedCards: [saved] }).pressKeys('1');
    expect(call.lastLine).toMatchObject({ field: 'part' });
    call.pressKeys('220#');
    expect(call.lastLine).toMatchObject({ field: 'confirmation', lastFour: '1881', remainingCents: 2_250 });
    expect(call.pressKeys('1').savedCharges).toEqual([saved.id]);
    expect(call.parts).toEqual([2_000]);
  });
});

describe('the amount of a part', () => {
  it.each([
    ['20#', 2_000],
    ['20*#', 2_000],
    ['20*50', 2_050],
    ['020#', 2_000],
    ['5#', 500],
    ['42*49', 4_249],
  ])('keyed as %s is said, and charged after the confirmation', (keys, cents) => {
    const call = amount(keys);
    expect(call.lastLine).toMatchObject({ field: 'confirmation', remainingCents: 4_250 - cents });
    expect(call.charges).toEqual([]);
    expect(call.pressKeys('1').parts).toEqual([cents]);
    call.finishSentence().send({ type: 'paid', chargeId: call.chargeId, remainingCents: 4_250 - cents });
    expect(call.lastLine).toEqual({ name: 'succeeded', remainingCents: 4_250 - cents });
    call.finishSentence();
    expect(call.returnedWith).toMatchObject({ kind: 'succeeded', remainingCents: 4_250 - cents });
  });

  it('is complete after a pause', () => {
    const call = amount('20').letWaitExpire();
    expect(call.lastLine).toMatchObject({ field: 'confirmation', remainingCents: 2_250 });
  });

  it('is all if it is the amount due', () => {
    const call = amount('42*50');
    expect(call.lastLine).not.toHaveProperty('remainingCents');
    expect(call.pressKeys('1').parts).toEqual([null]);
  });

  it.each([
    ['4#', 'below_minimum'],
    ['0#', 'below_minimum'],
    ['43#', 'above_total'],
    ['2000#', 'above_total'],
    ['20*5#', 'incomplete'],
    ['4242424242424242#', 'above_total'],
  ])('keyed as %s is asked for again: %s', (keys, error) => {
    const call = amount(keys);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'part_amount', attempt: 2, error });
    expect(JSON.stringify([call.lines, call.notes])).not.toContain('4242');
    expect(call.pressKeys('20#').pressKeys('1').parts).toEqual([2_000]);
  });

  it('is given up after three tries, and nothing is charged', () => {
    const call = amount('1#1#1#');
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'invalid_input' });
    expect(call.charges).toEqual([]);
  });

  it('starts over with star if nothing was keyed, and star twice returns to the agent, also after the point', () => {
    expect(amount('*').lastLine).toMatchObject({ field: 'part_amount', error: 'started_over' });
    expect(amount('**').lastLine).toEqual({ name: 'canceled' });
    expect(amount('20**').lastLine).toEqual({ name: 'canceled' });
    expect(amount('20*5*').lastLine).toMatchObject({ field: 'part_amount', error: 'started_over' });
  });

  it('has no point in a currency without decimals', () => {
    const part = { minimumCents: 500, totalCents: 4_250, decimals: 0 };
    expect(amount('20*', { part }).lastLine).toMatchObject({ field: 'part_amount', error: 'started_over' });
    expect(amount('2000#', { part }).pressKeys('1').parts).toEqual([2_000]);
  });

  it('can be changed at the confirmation, and stays for another card', () => {
    const call = amount('20#').pressKeys('4');
    expect(call.lastLine).toMatchObject({ field: 'part', attempt: 1 });
    call.pressKeys('230#');
    expect(call.lastLine).toMatchObject({ field: 'confirmation', remainingCents: 1_250 });
    call.pressKeys('2').pressKeys(CARD);
    expect(call.lastLine).toMatchObject({ field: 'confirmation', remainingCents: 1_250 });
    expect(call.pressKeys('1').parts).toEqual([3_000]);
  });
});

describe('with tips', () => {
  const tips = tipsOn({ amountCents: 4_250 }, [15, 20]);

  it('the tips are of the part', () => {
    const call = amount('20#', { tips });
    expect(call.lastLine).toMatchObject({ field: 'tip', tips: tipsOn({ amountCents: 2_000 }, [15, 20]) });
    call.pressKeys('1');
    const tip = { percent: 15, tipCents: 300 };
    expect(call.lastLine).toMatchObject({ field: 'confirmation', remainingCents: 2_250, tip, offersPart: true });
    call.pressKeys('1');
    expect([call.parts, call.tips]).toEqual([[2_000], [300]]);
  });

  it('another part asks for the tip again', () => {
    const call = amount('20#', { tips }).pressKeys('14');
    expect(call.lastLine).toMatchObject({ field: 'part' });
    call.pressKeys('1');
    expect(call.lastLine).toMatchObject({ field: 'tip', tips });
    call.pressKeys('21');
    expect([call.parts, call.tips]).toEqual([[null], [850]]);
  });

  it('no tip is offered on a part on which every tip rounds to nothing', () => {
    const call = amount('0*02', { tips, part: { ...PART, minimumCents: 1 } });
    expect(call.lastLine).toMatchObject({ field: 'confirmation', remainingCents: 4_248 });
  });
});
