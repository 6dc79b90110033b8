/**
 * Whether the card is kept for next time: asked once it is keyed and before it is charged, and kept for a clear yes
 * only.
 */
import { describe, expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import { DECLINE_CODES } from '../domain/charge.ts';
import type { AskLine, FlowEvent } from './types.ts';

const CARD = '42424242424242420928123';
const OTHER_CARD = '55555555555544441027456';

/** A call at a merchant who keeps cards, its greeting heard. */
const greeted = (terms = {}) => ConversationDriver.afterGreeting({ asksToKeepCard: true, ...terms });
const asked = (call: ConversationDriver): AskLine | undefined =>
  call.lastLine?.name === 'ask' ? call.lastLine : undefined;
const QUESTION = { name: 'ask', field: 'keep_card', attempt: 1, error: null } as const;

const declined = (call: ConversationDriver, code: (typeof DECLINE_CODES)[number] = 'do_not_honor') =>
  call.finishSentence().send({ type: 'declined', chargeId: call.chargeId, code });

describe('the question', () => {
  it('comes when the card is whole, before anything is charged', () => {
    const call = greeted().pressKeys(CARD);
    expect(call.lastLine).toEqual(QUESTION);
    expect(call.charges).toHaveLength(0);
    call.finishSentence();
    expect(call.waiting).toBe(6_000);
  });

  it('comes after the postal code', () => {
    const call = greeted({ asksPostalCode: true }).pressKeys(CARD);
    expect(asked(call)?.field).toBe('postal_code');
    expect(call.pressKeys('94107').lastLine).toEqual(QUESTION);
  });

  it('is not put where cards are not kept', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(CARD);
    expect(call.charges).toHaveLength(1);
    expect(call.agreements).toEqual([null]);
  });

  it('answered with 1: the card is kept, in the words of the question', () => {
    const call = greeted().pressKeys(`${CARD}1`);
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    expect(call.agreements).toEqual([QUESTION]);
  });

  it('answered with 2: it is not', () => {
    expect(greeted().pressKeys(`${CARD}2`).agreements).toEqual([null]);
  });

  it('is interrupted by the key', () => {
    const call = greeted().pressKeys(CARD);
    expect(call.speaking).toBe(true);
    expect(call.pressKeys('1').agreements).toEqual([QUESTION]);
  });

  it('met with silence is a no, and the card is charged', () => {
    const call = greeted().pressKeys(CARD).finishSentence().letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    expect(call.agreements).toEqual([null]);
  });

  it('met with another key is put again, three times in all, and is then a no', () => {
    const call = greeted().pressKeys(`${CARD}7`);
    expect(call.lastLine).toEqual({ ...QUESTION, attempt: 2, error: 'looks_wrong' });
    expect(call.pressKeys('0').lastLine).toEqual({ ...QUESTION, attempt: 3, error: 'looks_wrong' });
    expect(call.pressKeys('9').agreements).toEqual([null]);
  });

  it('put again and answered is answered in the words of that time', () => {
    expect(greeted().pressKeys(`${CARD}71`).agreements).toEqual([{ ...QUESTION, attempt: 2 }]);
    expect(greeted().pressKeys(`${CARD}7`).finishSentence().letWaitExpire().agreements).toEqual([null]);
  });

  it('is started over by one star, and left by two', () => {
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

  it.each(['hung_up', 'media_lost'] as const)('in which the call ends (%s) keeps and charges nothing', (type) => {
    const call = greeted().pressKeys(CARD).send({ type });
    expect(call.charges).toHaveLength(0);
    expect(call.endedWith).not.toBeNull();
  });
});

describe('every fact, while the question is asked', () => {
  const chargeId = new ConversationDriver().chargeId;
  /**
   * What follows: the next state, and what was ordered but for notes. Nothing is charged but by a key and by silence.
   */
  const EXPECTED: [FlowEvent, string][] = [
    [{ type: 'answered' }, 'collecting:'],
    [{ type: 'spoken' }, 'collecting: start_timer'],
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

describe('with a confirmation', () => {
  const confirming = () => greeted({ asksConfirmation: true }).pressKeys(CARD);

  it('is one more choice of it', () => {
    const call = confirming();
    const line = { name: 'ask', field: 'confirmation', attempt: 1, error: null, lastFour: '4242', offersKeeping: true };
    expect(call.lastLine).toEqual(line);
    expect(call.pressKeys('3').agreements).toEqual([line]);
  });

  it('1 pays and keeps nothing', () => expect(confirming().pressKeys('1').agreements).toEqual([null]));

  it('2 wants another card, for which it is offered again', () => {
    const call = confirming().pressKeys(`2${OTHER_CARD}`);
    expect(asked(call)).toMatchObject({ field: 'confirmation', lastFour: '4444', offersKeeping: true });
    expect(call.pressKeys('3').agreements).toHaveLength(1);
  });

  it('silence pays nothing, as without it', () => {
    const call = confirming().finishSentence().letWaitExpire();
    expect(asked(call)).toMatchObject({
      field: 'confirmation',
      attempt: 2,
      error: 'nothing_keyed',
      offersKeeping: true,
    });
    expect(call.charges).toHaveLength(0);
  });

  it('3 means nothing where cards are not kept', () => {
    const call = ConversationDriver.afterGreeting({ asksConfirmation: true }).pressKeys(`${CARD}3`);
    expect(asked(call)).toMatchObject({ field: 'confirmation', attempt: 2, error: 'looks_wrong' });
    expect(asked(call)).not.toHaveProperty('offersKeeping');
  });
});

describe('after a decline', () => {
  it('with another card a yes is asked for again: it was for the first', () => {
    const call = declined(greeted().pressKeys(`${CARD}1`)).pressKeys(OTHER_CARD);
    expect(call.lastLine).toEqual(QUESTION);
    expect(call.pressKeys('2').agreements).toEqual([QUESTION, null]);
    const again = declined(greeted().pressKeys(`${CARD}1`)).pressKeys(`${OTHER_CARD}1`);
    expect(again.agreements).toEqual([QUESTION, QUESTION]);
  });

  it('a no was for the whole call', () => {
    expect(declined(greeted().pressKeys(`${CARD}2`)).pressKeys(OTHER_CARD).agreements).toEqual([null, null]);
    expect(
      declined(greeted().pressKeys(CARD).finishSentence().letWaitExpire()).pressKeys(OTHER_CARD).agreements,
    ).toEqual([null, null]);
    const confirming = declined(greeted({ asksConfirmation: true }).pressKeys(`${CARD}1`)).pressKeys(OTHER_CARD);
    expect(asked(confirming)).not.toHaveProperty('offersKeeping');
  });

  it.each(['incorrect_cvc', 'expired_card', 'incorrect_expiry'] as const)('%s: the same card keeps its yes', (code) => {
    const call = declined(greeted().pressKeys(`${CARD}1`), code).pressKeys(
      code === 'incorrect_cvc' ? '456' : '1029456',
    );
    expect(call.agreements).toEqual([QUESTION, QUESTION]);
    expect(call.lastLine).toEqual({ name: 'one_moment' });
  });

  it.each(DECLINE_CODES)('%s: a no stays a no', (code) => {
    const call = declined(greeted().pressKeys(`${CARD}2`), code);
    expect(
      call
        .pressKeys('1029456')
        .pressKeys(OTHER_CARD)
        .agreements.filter((agreed) => agreed !== null),
    ).toEqual([]);
  });
});

describe('what is said in the end', () => {
  const paid = (cardKept?: boolean) => {
    const call = greeted().pressKeys(`${CARD}1`).finishSentence();
    return call.send({ type: 'paid', chargeId: call.chargeId, ...(cardKept !== undefined && { cardKept }) }).lastLine;
  };

  it('is that the card is kept, when it is', () => expect(paid(true)).toEqual({ name: 'succeeded', cardKept: true }));
  it.each([false, undefined])('and nothing of it when that is not known (%s)', (cardKept) =>
    expect(paid(cardKept)).toEqual({ name: 'succeeded' }),
  );
});
