/** The progress of a call, as the integrator gets it. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver, offeredCard, TERMS } from '../../test/support/conversation-driver.ts';
import { progressOf } from './state.ts';

const GOOD_CARD = '42424242424242420928123';
const at = (call: ConversationDriver) => {
  const step = progressOf(call.state);
  return step === null ? null : `${step.name} ${step.attempt}`;
};

describe('the progress of a call', () => {
  it('follows the fields, and counts the attempts at each', () => {
    const call = new ConversationDriver({ ...TERMS, asksPostalCode: true, asksConfirmation: true });
    const steps = [at(call)];
    const then = (act: () => unknown) => {
      act();
      steps.push(at(call));
    };
    then(() => call.send({ type: 'answered' }).finishSentence());
    then(() => call.pressKeys('4242').letWaitExpire().finishSentence());
    then(() => call.pressKeys('4242424242424242').finishSentence());
    then(() => call.pressKeys('0928').finishSentence());
    then(() => call.pressKeys('123').finishSentence());
    then(() => call.pressKeys('94105').finishSentence());
    then(() => call.pressKeys('1'));
    expect(steps).toEqual([
      'greeting 1',
      'card_number 1',
      'card_number 2',
      'expiry 1',
      'security_code 1',
      'postal_code 1',
      'confirm 1',
      'charging 1',
    ]);
  });

  it('counts another charge as another attempt', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(GOOD_CARD).finishSentence();
    const charge = call.send({ type: 'declined', chargeId: 'ch_a' as never, code: 'do_not_honor' }).finishSentence();
    expect(at(charge)).toBe('card_number 1');
    expect(at(charge.pressKeys(GOOD_CARD))).toBe('charging 2');
  });

  it('names saved cards, the link and the return, and nothing while the outcome is said', () => {
    const savedCards = [offeredCard('a', 'VISA', '4242'), offeredCard('b', 'VISA', '1111')];
    const saved = ConversationDriver.afterGreeting({ savedCards }).pressKeys('1');
    expect(at(saved)).toBe('saved_card 1');
    expect(at(ConversationDriver.afterGreeting({ canTextLink: true }).pressKeys('##'))).toBe('link 1');
    const leaving = ConversationDriver.afterGreeting().pressKeys('**');
    expect(at(leaving)).toBeNull();
    expect(at(leaving.finishSentence())).toBe('returning 1');
  });

  it('does not change with the digits of a field', () => {
    const call = ConversationDriver.afterGreeting();
    const before = progressOf(call.state);
    for (const key of '424242424242424') expect(progressOf(call.pressKeys(key).state)).toEqual(before);
  });
});
