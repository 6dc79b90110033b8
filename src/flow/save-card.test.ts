/**
 * The question whether to save the card: asked after the card is keyed and before it is charged. The card is saved only
 * after a clear yes.
 */
import { describe, expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import { DECLINE_CODES } from '../domain/charge.ts';
import type { FlowEvent } from './events.ts';
import type { AskLine } from './lines.ts';

const CARD = '42424242424242420928123';
const OTHER_CARD = '55555555555544441027456';

/** A call to a merchant that saves cards, after the greeting. */
const greeted = (terms = {}) => ConversationDriver.afterGreeting({ asksToKeepCard: true, ...terms });
const question = (call: ConversationDriver): AskLine | undefined =>
  call.lastLine?.name === 'ask' ? call.lastLine : undefined;
const QUESTION = { name: 'ask', field: 'keep_card', attempt: 1, error: null } as const;

const declined = (call: ConversationDriver, code: (typeof DECLINE_CODES)[number] = 'do_not_honor') =>
  call.finishSentence().send({ type: 'declined', chargeId: call.chargeId, code });

describe('the question whether to save the card', () => {
  it('comes when the card is complete, before the charge', () => {
    const call = greeted().pressKeys(CARD);
    expect(call.lastLine).toEqual(QUESTION);
    expect(call.charges).toHaveLength(0);
    call.finishSentence();
    expect(call.waiting).toBe(6_000);
  });

  it('comes after the postal code', () => {
    const call = greeted({ asksPostalCode: true }).pressKeys(CARD);
    expect(question(call)?.field).toBe('postal_code');
    expect(call.pressKeys('94107').lastLine).toEqual(QUESTION);
  });

  it('is not asked if the merchant saves no cards', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(CARD);
    expect(call.charges).toHaveLength(1);
    expect(call.agreements).toEqual([null]);
  });

  it('saves the card on 1, with the words of the question', () => {
    const call = greeted().pressKeys(`${CARD}1`);
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    expect(call.agreements).toEqual([QUESTION]);
  });

  it('does not save the card on 2', () => {
    expect(greeted().pressKeys(`${CARD}2`).agreements).toEqual([null]);
  });

  it('takes no yes before the last of the merchant’s own words', () => {
    const call = greeted({ keepsByOwnWords: true }).pressKeys(`${CARD}1`);
    expect([call.charges.length, call.speaking]).toEqual([0, true]);
    expect(call.finishSentence().pressKeys('1').agreements).toEqual([QUESTION]);
    // A no needs no hearing.
    expect(greeted({ keepsByOwnWords: true }).pressKeys(`${CARD}2`).agreements).toEqual([null]);
  });

  it('is a question of its own in the merchant’s own words, also before a confirmation', () => {
    const call = greeted({ keepsByOwnWords: true, asksConfirmation: true }).pressKeys(CARD);
    expect(call.lastLine).toEqual(QUESTION);
    call.finishSentence().pressKeys('1');
    expect(question(call)).toMatchObject({ field: 'confirmation' });
    expect(question(call)).not.toHaveProperty('offersKeeping');
    expect(call.finishSentence().pressKeys('1').agreements).toEqual([QUESTION]);
  });

  it('is interrupted by the key', () => {
    const call = greeted().pressKeys(CARD);
    expect(call.speaking).toBe(true);
    expect(call.pressKeys('1').agreements).toEqual([QUESTION]);
  });

  it('takes silence for a no, and charges the card', () => {
    const call = greeted().pressKeys(CARD).finishSentence().letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    expect(call.agreements).toEqual([null]);
  });

  it('is asked three times after other keys, and then means no', () => {
    const call = greeted().pressKeys(`${CARD}7`);
    expect(call.lastLine).toEqual({ ...QUESTION, attempt: 2, error: 'looks_wrong' });
    expect(call.pressKeys('0').lastLine).toEqual({ ...QUESTION, attempt: 3, error: 'looks_wrong' });
    expect(call.pressKeys('9').agreements).toEqual([null]);
  });

  it('stores the words of the attempt that was answered', () => {
    expect(greeted().pressKeys(`${CARD}71`).agreements).toEqual([{ ...QUESTION, attempt: 2 }]);
    expect(greeted().pressKeys(`${CARD}7`).finishSentence().letWaitExpire().agreements).toEqual([null]);
  });

  it('restarts on one star and returns to the agent on two', () => {
    const call = greeted().pressKeys(`${CARD}*`);
    expect(call.lastLine).toEqual({ ...QUESTION, error: 'started_over' });
    expect(call.pressKeys('1').agreements).toHaveLength(1);
    const canceled = greeted().pressKeys(`${CARD}**`);
    expect(canceled.lastLine).toEqual({ name: 'canceled' });
    expect(canceled.finishSentence().returnedWith).toEqual({ kind: 'canceled' });
    expect(canceled.charges).toHaveLength(0);
  });

  it('is not answered by #', () => {
    const call = greeted().pressKeys(`${CARD}#`);
    expect(call.lastLine).toEqual(QUESTION);
    expect(call.charges).toHaveLength(0);
  });

  it.each(['hung_up', 'media_lost'] as const)('saves and charges nothing if the call ends (%s)', (type) => {
    const call = greeted().pressKeys(CARD).send({ type });
    expect(call.charges).toHaveLength(0);
    expect(call.endedWith).not.toBeNull();
  });
});

describe('each event during the question whether to save the card', () => {
  const chargeId = new ConversationDriver().chargeId;
  /** The next state and its effects without notes. Only a key or silence charges. */
  const EXPECTED: [FlowEvent, string][] = [
    [{ type: 'answered' }, 'collecting:'],
    [{ type: 'prompt_ended' }, 'collecting: start_timer'],
    [{ type: 'silence' }, 'charging: cancel_timer charge say start_timer'],
    [{ type: 'paid', chargeId }, 'collecting:'],
    [{ type: 'declined', chargeId, code: 'generic_decline' }, 'collecting:'],
    [{ type: 'unconfirmed', chargeId }, 'leaving: cancel_timer say'],
    [{ type: 'refused', reason: 'expired' }, 'leaving: cancel_timer say'],
    [{ type: 'returned' }, 'collecting:'],
    [{ type: 'return_failed' }, 'collecting:'],
    [{ type: 'hung_up' }, 'ended: hang_up'],
    [{ type: 'media_lost' }, 'ended: hang_up'],
  ];

  it.each(EXPECTED)('%o', (event, expected) => {
    const call = greeted().pressKeys(CARD);
    const before = call.effects.length;
    call.send(event);
    const orders = call.effects.slice(before).flatMap(({ type }) => (type === 'note' ? [] : [type]));
    expect([`${call.state.kind}:`, ...orders].join(' ')).toBe(expected);
    expect(call.agreements.filter((agreed) => agreed !== null)).toEqual([]);
  });

  it.each([...'0123456789*#'])('key %s', (key) => {
    const call = greeted().pressKeys(CARD + key);
    const kind = key === '1' || key === '2' ? 'charging' : 'collecting';
    expect(call.state.kind).toBe(kind);
    expect(call.agreements).toEqual(key === '1' ? [QUESTION] : key === '2' ? [null] : []);
  });
});

describe('the question whether to save the card, with a confirmation', () => {
  const confirming = () => greeted({ asksConfirmation: true }).pressKeys(CARD);

  it('is one more choice of the confirmation', () => {
    const call = confirming();
    const line = { name: 'ask', field: 'confirmation', attempt: 1, error: null, lastFour: '4242', offersKeeping: true };
    expect(call.lastLine).toEqual(line);
    expect(call.pressKeys('3').agreements).toEqual([line]);
  });

  it('pays without saving on 1', () => expect(confirming().pressKeys('1').agreements).toEqual([null]));

  it('asks for another card on 2, and offers saving again', () => {
    const call = confirming().pressKeys(`2${OTHER_CARD}`);
    expect(question(call)).toMatchObject({ field: 'confirmation', lastFour: '4444', offersKeeping: true });
    expect(call.pressKeys('3').agreements).toHaveLength(1);
  });

  it('charges nothing after silence', () => {
    const call = confirming().finishSentence().letWaitExpire();
    expect(question(call)).toMatchObject({
      field: 'confirmation',
      attempt: 2,
      error: 'nothing_keyed',
      offersKeeping: true,
    });
    expect(call.charges).toHaveLength(0);
  });

  it('ignores 3 if the merchant saves no cards', () => {
    const call = ConversationDriver.afterGreeting({ asksConfirmation: true }).pressKeys(`${CARD}3`);
    expect(question(call)).toMatchObject({ field: 'confirmation', attempt: 2, error: 'looks_wrong' });
    expect(question(call)).not.toHaveProperty('offersKeeping');
  });
});

describe('a consent to save the card, after a decline', () => {
  it('is asked for again with another card', () => {
    const call = declined(greeted().pressKeys(`${CARD}1`)).pressKeys(OTHER_CARD);
    expect(call.lastLine).toEqual(QUESTION);
    expect(call.pressKeys('2').agreements).toEqual([QUESTION, null]);
    const again = declined(greeted().pressKeys(`${CARD}1`)).pressKeys(`${OTHER_CARD}1`);
    expect(again.agreements).toEqual([QUESTION, QUESTION]);
  });

  it('is not asked for again after a no', () => {
    expect(declined(greeted().pressKeys(`${CARD}2`)).pressKeys(OTHER_CARD).agreements).toEqual([null, null]);
    expect(
      declined(greeted().pressKeys(CARD).finishSentence().letWaitExpire()).pressKeys(OTHER_CARD).agreements,
    ).toEqual([null, null]);
    const confirming = declined(greeted({ asksConfirmation: true }).pressKeys(`${CARD}1`)).pressKeys(OTHER_CARD);
    expect(question(confirming)).not.toHaveProperty('offersKeeping');
  });

  it.each(['incorrect_cvc', 'expired_card', 'incorrect_expiry'] as const)('holds for the same card (%s)', (code) => {
    const call = declined(greeted().pressKeys(`${CARD}1`), code).pressKeys(
      code === 'incorrect_cvc' ? '456' : '1029456',
    );
    expect(call.agreements).toEqual([QUESTION, QUESTION]);
    expect(call.lastLine).toEqual({ name: 'one_moment' });
  });

  it.each(DECLINE_CODES)('stays a no (%s)', (code) => {
    const call = declined(greeted().pressKeys(`${CARD}2`), code);
    expect(
      call
        .pressKeys('1029456')
        .pressKeys(OTHER_CARD)
        .agreements.filter((agreed) => agreed !== null),
    ).toEqual([]);
  });
});

describe('the last sentence', () => {
  const paid = (cardSaved?: boolean) => {
    const call = greeted().pressKeys(`${CARD}1`).finishSentence();
    return call.send({ type: 'paid', chargeId: call.chargeId, ...(cardSaved !== undefined && { cardSaved }) }).lastLine;
  };

  it('says that the card was saved if it was', () =>
    expect(paid(true)).toEqual({ name: 'succeeded', cardSaved: true }));
  it.each([false, undefined])('does not mention saving if it is not known (%s)', (cardSaved) =>
    expect(paid(cardSaved)).toEqual({ name: 'succeeded' }),
  );
});
