/** A call that only saves a card: the caller must agree, and only a clear yes sends the card to the processor. */
import { expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';

const CARD = '42424242424242420928123';
const TERMS = { asksToKeepCard: true, keepsByOwnWords: true, savesOnly: true };
const QUESTION = { name: 'ask', field: 'keep_card', attempt: 1, error: null } as const;

/** The card is keyed, and the question was spoken to its end. */
const asked = (terms = {}) =>
  ConversationDriver.afterGreeting({ ...TERMS, ...terms })
    .pressKeys(CARD)
    .finishSentence();

it('asks for consent even before a confirmation, which it leaves out', () => {
  const call = ConversationDriver.afterGreeting({ ...TERMS, asksConfirmation: true }).pressKeys(CARD);
  expect(call.lastLine).toEqual(QUESTION);
  call.finishSentence().pressKeys('1');
  expect([call.charges.length, call.agreements]).toEqual([1, [QUESTION]]);
});

it('takes no yes before the last word of the question', () => {
  const call = ConversationDriver.afterGreeting(TERMS).pressKeys(`${CARD}1`);
  expect([call.charges.length, call.speaking]).toEqual([0, true]);
});

it('sends nothing after a no, and returns to the agent', () => {
  const call = asked().pressKeys('2');
  expect(call.charges).toHaveLength(0);
  expect(call.lastLine).toEqual({ name: 'canceled' });
});

it('asks again after silence, and then gives up without sending the card', () => {
  const call = asked().letWaitExpire();
  expect(call.lastLine).toMatchObject({ ...QUESTION, attempt: 2, error: 'nothing_keyed' });
  call.finishSentence().letWaitExpire().finishSentence().letWaitExpire();
  expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'no_input' });
  expect(call.charges).toHaveLength(0);
});

it('gives up after three unclear keys without sending the card', () => {
  const call = asked();
  for (let tries = 0; tries < 3; tries += 1) call.pressKeys('7').finishSentence();
  expect(call.charges).toHaveLength(0);
  expect(call.effects).toContainEqual(
    expect.objectContaining({ type: 'say', line: { name: 'gave_up', reason: 'invalid_input' } }),
  );
});

it('asks for the consent again with another card after a decline', () => {
  const call = asked().pressKeys('1').finishSentence();
  call.send({ type: 'declined', chargeId: call.chargeId, code: 'do_not_honor' });
  call.finishSentence().pressKeys('55555555555544441027456');
  expect(call.lastLine).toEqual(QUESTION);
  expect(call.charges).toHaveLength(1);
});
