/** Changing the language with 9 as the first key of the call. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import { MAX_KEYS } from './limits.ts';

const VISA = '4242424242424242';
const OFFERED = { offersLanguage: true };
const changes = (call: ConversationDriver) =>
  call.effects.flatMap((effect) => (effect.type === 'change_language' ? [effect.to] : []));

describe('9 as the first key', () => {
  it('greets again in the other language, and asks for the card as usual', () => {
    const call = ConversationDriver.afterGreeting(OFFERED).pressKeys('9');
    expect(changes(call)).toEqual(['second']);
    expect(call.lines.map(({ name }) => name)).toEqual(['greeting', 'greeting']);
    // The language changes before the next words.
    expect(call.effects.findLastIndex(({ type }) => type === 'change_language')).toBeLessThan(
      call.effects.findLastIndex(({ type }) => type === 'say'),
    );
    call.finishSentence();
    expect(call.waiting).toBe(10_000);
    call.pressKeys(`${VISA}0928123`);
    expect(call.charges).toHaveLength(1);
    expect(changes(call)).toEqual(['second']);
  });

  it('counts during the greeting and before the call is answered', () => {
    expect(changes(new ConversationDriver(OFFERED).send({ type: 'answered' }).pressKeys('9'))).toEqual(['second']);
    const early = new ConversationDriver(OFFERED).pressKeys('9');
    expect(changes(early)).toEqual(['second']);
    expect(early.pressKeys(`${VISA}0928123`).charges).toHaveLength(1);
  });

  it('counts after a silence', () => {
    const call = ConversationDriver.afterGreeting(OFFERED).send({ type: 'silence' }).finishSentence().pressKeys('9');
    expect(changes(call)).toEqual(['second']);
    // The earlier tries were in another language.
    expect(call.finishSentence().send({ type: 'silence' }).lastLine).toMatchObject({ name: 'ask', attempt: 2 });
  });

  it('switches back on another 9', () => {
    const call = ConversationDriver.afterGreeting(OFFERED).pressKeys('99');
    expect(changes(call)).toEqual(['second', 'first']);
    expect(call.lastLine).toEqual({ name: 'greeting' });
  });

  it('can be repeated up to the limit of keys', () => {
    const call = ConversationDriver.afterGreeting(OFFERED).pressKeys('9'.repeat(MAX_KEYS + 1));
    expect(changes(call)).toHaveLength(MAX_KEYS);
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'invalid_input' });
  });
});

describe('9 is an ordinary digit', () => {
  it('if no other language is offered', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('9');
    expect(changes(call)).toEqual([]);
    expect(call.lines).toHaveLength(1);
  });

  it.each(['4', '*', '#'])('after %s', (first) => {
    expect(changes(ConversationDriver.afterGreeting(OFFERED).pressKeys(`${first}9`))).toEqual([]);
  });

  it('in a later field and in another card', () => {
    const call = ConversationDriver.afterGreeting(OFFERED).pressKeys(`${VISA}0929999`);
    expect(call.charges).toHaveLength(1);
    call.finishSentence().send({ type: 'declined', chargeId: call.chargeId, code: 'do_not_honor' }).pressKeys('9');
    expect(changes(call)).toEqual([]);
  });
});
