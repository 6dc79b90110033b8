/** The question which merchant a call is for. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver, MERCHANTS, offeredCard, TERMS } from '../../test/support/conversation-driver.ts';
import { MAX_KEYS } from './limits.ts';
import { stageOf } from './state.ts';

const TWO = MERCHANTS.slice(0, 2);

const askedMerchant = (merchants = TWO) => new ConversationDriver({}, merchants).send({ type: 'answered' });
const askedAndSpoken = (merchants = TWO) => askedMerchant(merchants).finishSentence();

const question = (attempt: number, error: string | null = null) => ({
  name: 'choose_merchant',
  merchants: TWO,
  attempt,
  error,
});

describe('a caller with payments at several merchants', () => {
  it('is asked first, and then greeted by the chosen merchant', () => {
    const call = askedAndSpoken();
    expect(call.lastLine).toEqual(question(1));
    expect(stageOf(call.state)).toBe('greeting');
    call.pressKeys('2');
    expect([call.taking, call.lines.length, call.waiting]).toEqual([1, 1, 2_000]);
    call.send({ type: 'session_claimed', terms: TERMS }).send({ type: 'answered' });
    expect(call.lastLine).toEqual({ name: 'greeting' });
    call.finishSentence().pressKeys('42424242424242420928123');
    expect(call.charges).toHaveLength(1);
  });

  it('can choose during the question, which stops', () => {
    const call = askedMerchant().pressKeys('1');
    expect([call.taking, call.speaking]).toEqual([0, false]);
  });

  it('hears at once what the database knows about the chosen session', () => {
    const call = askedAndSpoken().pressKeys('1').send({ type: 'session_claimed', terms: TERMS });
    call.send({ type: 'refused', reason: 'expired' });
    expect(call.lastLine).toEqual({ name: 'expired' });
    call.finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'expired' });
  });

  it('hears that it takes a moment if the database is slow', () => {
    const call = askedAndSpoken().pressKeys('1').letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    call.finishSentence().send({ type: 'session_claimed', terms: TERMS });
    expect(call.send({ type: 'answered' }).lastLine).toEqual({ name: 'greeting' });
  });

  it('hears that another call has the session, and the call ends', () => {
    const call = askedAndSpoken().pressKeys('1').send({ type: 'session_not_claimed' });
    expect(call.lastLine).toEqual({ name: 'session_not_taken' });
    call.finishSentence();
    expect([call.endedWith, call.returnedWith]).toEqual([{ kind: 'failed', reason: 'error' }, null]);
  });
});

describe('an answer without a merchant', () => {
  it('ends the call after three silences', () => {
    const call = askedAndSpoken().letWaitExpire();
    expect(call.lastLine).toEqual(question(2, 'nothing_keyed'));
    call.finishSentence().letWaitExpire();
    expect(call.lastLine).toEqual(question(3, 'nothing_keyed'));
    call.finishSentence().letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'no_choice' });
    call.finishSentence();
    expect([call.endedWith, call.returnedWith]).toEqual([{ kind: 'failed', reason: 'no_input' }, null]);
  });

  it.each(['3', '9', '0'])('is asked again after a pause (key %s)', (key) => {
    const call = askedMerchant().pressKeys(key);
    expect([call.speaking, call.lines.length]).toEqual([false, 1]);
    expect(call.letWaitExpire().lastLine).toEqual(question(2, 'looks_wrong'));
    call.pressKeys(key).letWaitExpire().pressKeys(key).letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'no_choice' });
    expect(call.finishSentence().endedWith).toEqual({ kind: 'failed', reason: 'invalid_input' });
  });

  it('counts a card number as one failed try that chooses nothing', () => {
    const call = askedAndSpoken().pressKeys('4111111111111111');
    expect([call.taking, call.lines.length]).toEqual([null, 1]);
    expect(call.letWaitExpire().lastLine).toEqual(question(2, 'looks_wrong'));
    expect(call.pressKeys('1').taking).toBe(0);
  });

  it('charges no saved card if a card number starts with a merchant’s key', () => {
    const terms = { ...TERMS, savedCards: [offeredCard('a', 'VISA', '4242')] };
    const call = askedMerchant().pressKeys('2').send({ type: 'session_claimed', terms }).send({ type: 'answered' });
    call.pressKeys('221000000000009');
    expect([call.savedCharges, call.charges]).toEqual([[], []]);
  });

  it('is asked again after one star, without a failed try, and ends the call after two', () => {
    const call = askedAndSpoken().pressKeys('*');
    expect(call.lastLine).toEqual(question(1, 'started_over'));
    call.pressKeys('*');
    expect(call.lastLine).toEqual({ name: 'choice_left' });
    call.finishSentence();
    expect([call.endedWith, call.returnedWith]).toEqual([{ kind: 'canceled' }, null]);
  });

  it('does not end the call on separate stars or on pound', () => {
    const call = askedAndSpoken().pressKeys('*').finishSentence().letWaitExpire().pressKeys('*#*##');
    expect(call.state.kind).toBe('choosing_merchant');
  });

  it('ends the call after too many stars', () => {
    const call = askedAndSpoken();
    for (let key = 0; key <= MAX_KEYS / 2; key += 1) call.pressKeys('*#');
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'no_choice' });
  });
});

describe('before a session is claimed', () => {
  it.each([
    ['while choosing', () => askedAndSpoken()],
    ['while it is being claimed', () => askedAndSpoken().pressKeys('1')],
  ])('%s: a hang-up counts as broken off, and nothing follows', (_, call) => {
    const gone = call().send({ type: 'hung_up' }).send({ type: 'session_claimed', terms: TERMS });
    expect(gone.effects.at(-1)).toEqual({ type: 'hang_up', outcome: { kind: 'canceled' }, brokeOff: true });
  });

  it('a shutdown ends the call', () => {
    const call = askedMerchant().send({ type: 'refused', reason: 'unavailable' });
    expect(call.lastLine).toEqual({ name: 'session_not_taken' });
    expect(call.finishSentence().endedWith).toEqual({ kind: 'failed', reason: 'error' });
  });

  it('a second answer to the call does not repeat the question', () => {
    expect(askedMerchant().send({ type: 'answered' }).lines).toHaveLength(1);
  });
});
