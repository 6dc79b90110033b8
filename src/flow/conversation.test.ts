/** The conversations of issue 2, section 5, told one by one: up to the charge, and the usual end. */
import { describe, expect, it } from 'vitest';
import { Rehearsal } from '../../test/support/conversation-driver.ts';
import type { Secret } from '../domain/secret.ts';
import type { Effect } from './types.ts';

const VISA = '4242424242424242';
const MASTERCARD = '5555555555554444';
const AMEX = '378282246310005';
const MISTYPED = '4242424242424241';
const JCB = '3530111333300000';
const GOOD_CARD = `${VISA}0928123`;

const read = (secret: Secret | null | undefined) => secret?.reveal((text) => text);
const asked = (call: Rehearsal) => (call.last?.name === 'ask' ? call.last : undefined);

/** A call that has ordered its charge and said so. */
function charging(terms = {}, keys = GOOD_CARD): Rehearsal {
  return Rehearsal.greeted(terms).key(keys).hear();
}

describe('a payment', () => {
  it('goes from the greeting to the agent', () => {
    const call = new Rehearsal().on({ type: 'answered' });
    expect(call.last).toEqual({ name: 'greeting' });
    call.hear();
    expect(call.waiting).toBe(10_000);
    call.key(VISA);
    expect(call.last).toEqual({ name: 'ask', field: 'expiry', attempt: 1, error: null });
    call.hear().key('0928');
    expect(call.last).toEqual({ name: 'ask', field: 'security_code', attempt: 1, error: null, codeLength: 3 });
    call.hear().key('123');
    expect(call.last).toEqual({ name: 'one_moment' });
    expect(call.charges).toHaveLength(1);
    const [card] = call.charges;
    expect([read(card?.number), read(card?.expiry), read(card?.securityCode), card?.postalCode]).toEqual([
      VISA,
      '0928',
      '123',
      null,
    ]);
    call.hear().on({ type: 'paid', chargeId: call.chargeId });
    expect(call.last).toEqual({ name: 'succeeded' });
    call.hear();
    expect(call.returnedWith).toEqual({ kind: 'succeeded', chargeId: call.chargeId });
    call.on({ type: 'returned' });
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

  it('asks postal code and confirmation where the merchant wants them', () => {
    const call = Rehearsal.greeted({ asksPostalCode: true, asksConfirmation: true }).key(GOOD_CARD);
    expect(asked(call)?.field).toBe('postal_code');
    call.key('94107');
    expect(asked(call)).toMatchObject({ field: 'confirmation', lastFour: '4242' });
    expect(call.charges).toHaveLength(0);
    call.key('1');
    expect(read(call.charges[0]?.postalCode)).toBe('94107');
  });

  it('starts over with another card when the caller says so', () => {
    const call = Rehearsal.greeted({ asksConfirmation: true }).key(`${GOOD_CARD}2`);
    expect(call.last).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: null });
    call.key(`${MASTERCARD}1027456`);
    expect(asked(call)).toMatchObject({ field: 'confirmation', lastFour: '4444' });
    call.key('1');
    expect(read(call.charges[0]?.number)).toBe(MASTERCARD);
  });

  it('wants four digits of an American Express', () => {
    const call = Rehearsal.greeted().key(`${AMEX}0928`);
    expect(asked(call)?.codeLength).toBe(4);
    expect(call.key('123').charges).toHaveLength(0);
    expect(call.key('4').charges).toHaveLength(1);
  });

  it('ends without an agent after its last sentence', () => {
    const call = charging({ returns: false });
    expect(call.on({ type: 'paid', chargeId: call.chargeId }).hear().returnedWith).toBeNull();
    expect(call.endedWith?.kind).toBe('succeeded');
  });

  it('says goodbye when the agent can not be reached', () => {
    const call = charging();
    call.on({ type: 'paid', chargeId: call.chargeId }).hear().on({ type: 'return_failed' });
    expect(call.last).toEqual({ name: 'goodbye', outcome: 'succeeded' });
    expect(call.endedWith).toBeNull();
    expect(call.hear().endedWith).toEqual({ kind: 'succeeded', chargeId: call.chargeId });
  });
});

describe('keys', () => {
  it('count before the call is answered', () => {
    const call = new Rehearsal().key(GOOD_CARD).on({ type: 'answered' });
    expect(read(call.charges[0]?.number)).toBe(VISA);
    expect(call.lines[0]).toEqual({ name: 'greeting' });
  });

  it('hush the sentence, the first one of them', () => {
    const call = new Rehearsal().on({ type: 'answered' });
    const before = call.effects.length;
    call.key('4');
    expect(call.effects.slice(before)).toEqual<Effect[]>([{ type: 'hush' }, { type: 'wait', ms: 5_000 }]);
    call.key('2');
    expect(call.effects.slice(before + 2)).toEqual<Effect[]>([{ type: 'wait', ms: 5_000 }]);
  });

  it('typed ahead across all fields are none of them lost', () => {
    const call = new Rehearsal({ asksPostalCode: true, asksConfirmation: true });
    call.on({ type: 'answered' }).key(`${GOOD_CARD}941071`);
    const [card] = call.charges;
    expect([read(card?.number), read(card?.expiry), read(card?.securityCode), read(card?.postalCode)]).toEqual([
      VISA,
      '0928',
      '123',
      '94107',
    ]);
  });

  it('# after a field that was already complete does nothing', () => {
    const call = new Rehearsal().on({ type: 'answered' }).key(`${VISA}#0928#`);
    expect(asked(call)).toMatchObject({ field: 'security_code', attempt: 1, error: null });
    expect(call.speaking).toBe(true);
  });

  it('# ends a short field early', () => {
    expect(asked(Rehearsal.greeted().key('4222222222222#'))?.field).toBe('expiry');
    expect(asked(Rehearsal.greeted().key('4242#'))).toMatchObject({ attempt: 2, error: 'incomplete' });
    const postal = Rehearsal.greeted({ asksPostalCode: true }).key(`${GOOD_CARD}2000#`);
    expect(read(postal.charges[0]?.postalCode)).toBe('2000');
  });

  it('are dropped while the processor works', () => {
    const call = charging().key('**123#');
    expect(call.on({ type: 'paid', chargeId: call.chargeId }).last).toEqual({ name: 'succeeded' });
  });
});

describe('a complete field', () => {
  it('of 13 digits is waited on for four seconds', () => {
    const call = Rehearsal.greeted().key('4222222222222');
    expect(call.waiting).toBe(4_000);
    expect(asked(call.keepSilent())?.field).toBe('expiry');
  });

  it('takes MMYYYY as well as MMYY', () => {
    const call = Rehearsal.greeted().key(`${VISA}0920`);
    expect(call.waiting).toBe(4_000);
    expect(asked(call.key('28'))?.field).toBe('security_code');
    expect(read(call.key('123').charges[0]?.expiry)).toBe('0928');
  });

  it('MM20 alone is past', () => {
    expect(asked(Rehearsal.greeted().key(`${VISA}0920`).keepSilent())).toMatchObject({ error: 'in_the_past' });
    expect(asked(Rehearsal.greeted().key(`${VISA}0920#`))).toMatchObject({ error: 'in_the_past' });
  });
});

describe('a field that is not right', () => {
  it.each([
    [MISTYPED, 'looks_wrong'],
    [`${JCB}#`, 'card_not_accepted'],
    ['4242#', 'incomplete'],
    ['*', 'started_over'],
  ])('%s: the number is asked again (%s)', (keys, error) => {
    const attempt = error === 'started_over' ? 1 : 2;
    expect(Rehearsal.greeted().key(keys).last).toEqual({ name: 'ask', field: 'card_number', attempt, error });
  });

  it('is alone asked again: what was right is kept', () => {
    const call = Rehearsal.greeted().key(`${VISA}0825`);
    expect(call.last).toEqual({ name: 'ask', field: 'expiry', attempt: 2, error: 'in_the_past' });
    expect(read(call.key('0928123').charges[0]?.number)).toBe(VISA);
  });

  it('after five seconds between digits is incomplete', () => {
    const call = Rehearsal.greeted().key('4242');
    expect(call.waiting).toBe(5_000);
    expect(asked(call.keepSilent())).toMatchObject({ attempt: 2, error: 'incomplete' });
  });

  it('three times sends the caller back: invalid_input', () => {
    const call = Rehearsal.greeted().key(MISTYPED).key('4242#').key(MISTYPED);
    expect(call.last).toEqual({ name: 'gave_up', reason: 'invalid_input' });
    expect(call.hear().returnedWith).toEqual({ kind: 'failed', reason: 'invalid_input' });
  });

  it('three times empty sends the caller back: no_input', () => {
    const call = Rehearsal.greeted().keepSilent();
    expect(call.last).toEqual({ name: 'ask', field: 'card_number', attempt: 2, error: 'nothing_keyed' });
    call.hear().keepSilent().hear().keepSilent();
    expect(call.last).toEqual({ name: 'gave_up', reason: 'no_input' });
    expect(call.hear().returnedWith).toEqual({ kind: 'failed', reason: 'no_input' });
  });

  it('has three tries of its own', () => {
    const call = Rehearsal.greeted().key(MISTYPED + MISTYPED + VISA);
    expect(call.key('0825').last).toMatchObject({ field: 'expiry', attempt: 2 });
    expect(call.key('0825').last).toMatchObject({ field: 'expiry', attempt: 3 });
  });

  it('confirmation takes 1 and 2 only', () => {
    const call = Rehearsal.greeted({ asksConfirmation: true }).key(`${GOOD_CARD}7`);
    expect(call.last).toMatchObject({ field: 'confirmation', attempt: 2, error: 'looks_wrong', lastFour: '4242' });
  });
});

describe('star', () => {
  it('starts the field over and is not a try', () => {
    const call = Rehearsal.greeted().key('4111*').hear().key('1*').hear().key('*').hear();
    expect(call.last).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: 'started_over' });
    expect(read(call.key(GOOD_CARD).charges[0]?.number)).toBe(VISA);
  });

  it.each(['', '42', VISA, `${VISA}09`, `${VISA}0928`, `${VISA}092812`, `${GOOD_CARD}`, `${GOOD_CARD}94107`])(
    'twice after "%s" goes back to the agent',
    (keys) => {
      const call = new Rehearsal({ asksPostalCode: true, asksConfirmation: true });
      call.on({ type: 'answered' }).key(`${keys}**`);
      expect(call.last).toEqual({ name: 'canceled' });
      expect(call.hear().returnedWith).toEqual({ kind: 'canceled' });
      expect(call.charges).toHaveLength(0);
    },
  );

  it('twice with anything in between is two single ones', () => {
    const star = () => Rehearsal.greeted().key('*');
    for (const call of [
      star().key('4*'),
      star().hear().key('*'),
      star().key('#*'),
      star().hear().keepSilent().key('*'),
    ]) {
      expect(asked(call)?.error).toBe('started_over');
    }
  });
});

it('a caller who only ever presses star is let go at last', () => {
  const call = Rehearsal.greeted();
  for (let press = 0; press < 500; press += 1) call.key('*').hear();
  expect(call.last).toMatchObject({ error: 'started_over' });
  expect(call.key('*').last).toEqual({ name: 'gave_up', reason: 'invalid_input' });
});
