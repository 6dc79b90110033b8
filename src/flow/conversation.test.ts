/** Conversations step by step: up to the charge, and the usual end. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import type { Secret } from '../domain/secret.ts';
import type { Effect } from './effects.ts';

const VISA = '4242424242424242';
const MASTERCARD = '5555555555554444';
const AMEX = '378282246310005';
const MISTYPED = '4242424242424241';
const JCB = '3530111333300000';
const GOOD_CARD = `${VISA}0928123`;

const read = (secret: Secret | null | undefined) => secret?.reveal((text) => text);
const question = (call: ConversationDriver) => (call.lastLine?.name === 'ask' ? call.lastLine : undefined);

/** A call that has ordered its charge and said "one moment". */
function charging(terms = {}, keys = GOOD_CARD): ConversationDriver {
  return ConversationDriver.afterGreeting(terms).pressKeys(keys).finishSentence();
}

describe('a payment', () => {
  it('goes from the greeting to the agent', () => {
    const call = new ConversationDriver().send({ type: 'answered' });
    expect(call.lastLine).toEqual({ name: 'greeting' });
    call.finishSentence();
    expect(call.waiting).toBe(10_000);
    call.pressKeys(VISA);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'expiry', attempt: 1, error: null });
    call.finishSentence().pressKeys('0928');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'security_code', attempt: 1, error: null, codeLength: 3 });
    call.finishSentence().pressKeys('123');
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    expect(call.charges).toHaveLength(1);
    const [card] = call.charges;
    expect([read(card?.number), read(card?.expiry), read(card?.securityCode), card?.postalCode]).toEqual([
      VISA,
      '0928',
      '123',
      null,
    ]);
    call.finishSentence().send({ type: 'paid', chargeId: call.chargeId });
    expect(call.lastLine).toEqual({ name: 'succeeded' });
    call.finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'succeeded', chargeId: call.chargeId });
    call.send({ type: 'returned' });
    expect(call.endedWith).toEqual({ kind: 'succeeded', chargeId: call.chargeId });
    expect(call.notes).toEqual([
      'ask card_number',
      'ask expiry',
      'ask security_code',
      'charge',
      'succeeded',
      'paid',
      'return',
      'returned',
    ]);
  });

  it('asks for postal code and confirmation if the merchant enables them', () => {
    const call = ConversationDriver.afterGreeting({ asksPostalCode: true, asksConfirmation: true }).pressKeys(
      GOOD_CARD,
    );
    expect(question(call)?.field).toBe('postal_code');
    call.pressKeys('94107');
    expect(question(call)).toMatchObject({ field: 'confirmation', lastFour: '4242' });
    expect(call.charges).toHaveLength(0);
    call.pressKeys('1');
    expect(read(call.charges[0]?.postalCode)).toBe('94107');
  });

  it('starts over when the caller chooses another card', () => {
    const call = ConversationDriver.afterGreeting({ asksConfirmation: true }).pressKeys(`${GOOD_CARD}2`);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: null });
    call.pressKeys(`${MASTERCARD}1027456`);
    expect(question(call)).toMatchObject({ field: 'confirmation', lastFour: '4444' });
    call.pressKeys('1');
    expect(read(call.charges[0]?.number)).toBe(MASTERCARD);
  });

  it('asks for a four-digit code of an American Express', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(`${AMEX}0928`);
    expect(question(call)?.codeLength).toBe(4);
    expect(call.pressKeys('123').charges).toHaveLength(0);
    expect(call.pressKeys('4').charges).toHaveLength(1);
  });

  it('ends after its last sentence if there is no agent', () => {
    const call = charging({ returns: false });
    expect(call.send({ type: 'paid', chargeId: call.chargeId }).finishSentence().returnedWith).toBeNull();
    expect(call.endedWith?.kind).toBe('succeeded');
  });

  it('says goodbye if the agent cannot be reached', () => {
    const call = charging();
    call.send({ type: 'paid', chargeId: call.chargeId }).finishSentence().send({ type: 'return_failed' });
    expect(call.lastLine).toEqual({ name: 'goodbye', outcome: 'succeeded' });
    expect(call.endedWith).toBeNull();
    expect(call.finishSentence().endedWith).toEqual({ kind: 'succeeded', chargeId: call.chargeId });
  });
});

describe('keys', () => {
  it('count before the call is answered', () => {
    const call = new ConversationDriver().pressKeys(GOOD_CARD).send({ type: 'answered' });
    expect(read(call.charges[0]?.number)).toBe(VISA);
    expect(call.lines[0]).toEqual({ name: 'greeting' });
  });

  it('stop the sentence at the first one', () => {
    const call = new ConversationDriver().send({ type: 'answered' });
    const before = call.effects.length;
    call.pressKeys('4');
    expect(call.effects.slice(before)).toEqual<Effect[]>([
      { type: 'stop_speaking' },
      { type: 'start_timer', ms: 5_000 },
    ]);
    call.pressKeys('2');
    expect(call.effects.slice(before + 2)).toEqual<Effect[]>([{ type: 'start_timer', ms: 5_000 }]);
  });

  it('typed ahead across all fields are all kept', () => {
    const call = new ConversationDriver({ asksPostalCode: true, asksConfirmation: true });
    call.send({ type: 'answered' }).pressKeys(`${GOOD_CARD}941071`);
    const [card] = call.charges;
    expect([read(card?.number), read(card?.expiry), read(card?.securityCode), read(card?.postalCode)]).toEqual([
      VISA,
      '0928',
      '123',
      '94107',
    ]);
  });

  it('do nothing if # follows a complete field', () => {
    const call = new ConversationDriver().send({ type: 'answered' }).pressKeys(`${VISA}#0928#`);
    expect(question(call)).toMatchObject({ field: 'security_code', attempt: 1, error: null });
    expect(call.speaking).toBe(true);
  });

  it('end a short field early with #', () => {
    expect(question(ConversationDriver.afterGreeting().pressKeys('4222222222222#'))?.field).toBe('expiry');
    expect(question(ConversationDriver.afterGreeting().pressKeys('4242#'))).toMatchObject({
      attempt: 2,
      error: 'incomplete',
    });
    const postal = ConversationDriver.afterGreeting({ asksPostalCode: true }).pressKeys(`${GOOD_CARD}2000#`);
    expect(read(postal.charges[0]?.postalCode)).toBe('2000');
  });

  it('are ignored while the processor works', () => {
    const call = charging().pressKeys('**123#');
    expect(call.send({ type: 'paid', chargeId: call.chargeId }).lastLine).toEqual({ name: 'succeeded' });
  });
});

describe('a complete field', () => {
  it('of 13 digits is accepted after four seconds', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('4222222222222');
    expect(call.waiting).toBe(4_000);
    expect(question(call.letWaitExpire())?.field).toBe('expiry');
  });

  it('accepts MMYYYY as well as MMYY', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(`${VISA}0920`);
    expect(call.waiting).toBe(4_000);
    expect(question(call.pressKeys('28'))?.field).toBe('security_code');
    expect(read(call.pressKeys('123').charges[0]?.expiry)).toBe('0928');
  });

  it('MM20 alone is in the past', () => {
    expect(question(ConversationDriver.afterGreeting().pressKeys(`${VISA}0920`).letWaitExpire())).toMatchObject({
      error: 'in_the_past',
    });
    expect(question(ConversationDriver.afterGreeting().pressKeys(`${VISA}0920#`))).toMatchObject({
      error: 'in_the_past',
    });
  });
});

describe('a wrong field', () => {
  it.each([
    [MISTYPED, 'looks_wrong'],
    [`${JCB}#`, 'card_not_accepted'],
    ['4242#', 'incomplete'],
    ['*', 'started_over'],
  ])('asks for the number again after %s (%s)', (keys, error) => {
    const attempt = error === 'started_over' ? 1 : 2;
    expect(ConversationDriver.afterGreeting().pressKeys(keys).lastLine).toEqual({
      name: 'ask',
      field: 'card_number',
      attempt,
      error,
    });
  });

  it('is the only one asked again', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(`${VISA}0825`);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'expiry', attempt: 2, error: 'in_the_past' });
    expect(read(call.pressKeys('0928123').charges[0]?.number)).toBe(VISA);
  });

  it('is incomplete after five seconds without a digit', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('4242');
    expect(call.waiting).toBe(5_000);
    expect(question(call.letWaitExpire())).toMatchObject({ attempt: 2, error: 'incomplete' });
  });

  it('returns the caller with invalid_input after three tries', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(MISTYPED).pressKeys('4242#').pressKeys(MISTYPED);
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'invalid_input' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'failed', reason: 'invalid_input' });
  });

  it('returns the caller with no_input after three silences', () => {
    const call = ConversationDriver.afterGreeting().letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 2, error: 'nothing_keyed' });
    call.finishSentence().letWaitExpire().finishSentence().letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'no_input' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'failed', reason: 'no_input' });
  });

  it('has its own three tries', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(MISTYPED + MISTYPED + VISA);
    expect(call.pressKeys('0825').lastLine).toMatchObject({ field: 'expiry', attempt: 2 });
    expect(call.pressKeys('0825').lastLine).toMatchObject({ field: 'expiry', attempt: 3 });
  });

  it('accepts only 1 and 2 as a confirmation', () => {
    const call = ConversationDriver.afterGreeting({ asksConfirmation: true }).pressKeys(`${GOOD_CARD}7`);
    expect(call.lastLine).toMatchObject({ field: 'confirmation', attempt: 2, error: 'looks_wrong', lastFour: '4242' });
  });
});

describe('star', () => {
  it('restarts the field and is not a failed try', () => {
    const call = ConversationDriver.afterGreeting()
      .pressKeys('4111*')
      .finishSentence()
      .pressKeys('1*')
      .finishSentence()
      .pressKeys('*')
      .finishSentence();
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: 'started_over' });
    expect(read(call.pressKeys(GOOD_CARD).charges[0]?.number)).toBe(VISA);
  });

  it.each(['', '42', VISA, `${VISA}09`, `${VISA}0928`, `${VISA}092812`, `${GOOD_CARD}`, `${GOOD_CARD}94107`])(
    'twice after "%s" goes back to the agent',
    (keys) => {
      const call = new ConversationDriver({ asksPostalCode: true, asksConfirmation: true });
      call.send({ type: 'answered' }).pressKeys(`${keys}**`);
      expect(call.lastLine).toEqual({ name: 'canceled' });
      expect(call.finishSentence().returnedWith).toEqual({ kind: 'canceled' });
      expect(call.charges).toHaveLength(0);
    },
  );

  it('counts as two single ones if anything comes between', () => {
    const star = () => ConversationDriver.afterGreeting().pressKeys('*');
    for (const call of [
      star().pressKeys('4*'),
      star().finishSentence().pressKeys('*'),
      star().pressKeys('#*'),
      star().finishSentence().letWaitExpire().pressKeys('*'),
    ]) {
      expect(question(call)?.error).toBe('started_over');
    }
  });
});

it('ends the call of a caller who presses only star', () => {
  const call = ConversationDriver.afterGreeting();
  for (let press = 0; press < 500; press += 1) call.pressKeys('*').finishSentence();
  expect(call.lastLine).toMatchObject({ error: 'started_over' });
  expect(call.pressKeys('*').lastLine).toEqual({ name: 'gave_up', reason: 'invalid_input' });
});
