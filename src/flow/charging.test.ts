/** Conversations step by step: from the charge on, and the other ways a call ends. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import { DECLINE_CODES, type DeclineCode } from '../domain/charge.ts';
import type { Secret } from '../domain/secret.ts';

const VISA = '4242424242424242';
const MASTERCARD = '5555555555554444';
const GOOD_CARD = `${VISA}0928123`;

const read = (secret: Secret | null | undefined) => secret?.reveal((text) => text);
const question = (call: ConversationDriver) => (call.lastLine?.name === 'ask' ? call.lastLine : undefined);

/** A call that has ordered its charge and said "one moment". */
function charging(terms = {}, keys = GOOD_CARD): ConversationDriver {
  return ConversationDriver.afterGreeting(terms).pressKeys(keys).finishSentence();
}

function declined(call: ConversationDriver, code: DeclineCode): ConversationDriver {
  return call.send({ type: 'declined', chargeId: call.chargeId, code });
}

describe('while the processor works', () => {
  it('the line says so every eight seconds', () => {
    const call = charging();
    expect(call.waiting).toBe(8_000);
    call.letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'still_working' });
    expect(call.waiting).toBe(8_000);
    expect(
      call
        .finishSentence()
        .letWaitExpire()
        .lines.filter((line) => line.name === 'still_working'),
    ).toHaveLength(2);
  });

  it('a quick answer waits for the end of the sentence', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(GOOD_CARD);
    call.send({ type: 'paid', chargeId: call.chargeId });
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    expect(call.waiting).toBeNull();
    expect(call.finishSentence().lastLine).toEqual({ name: 'succeeded' });
  });

  it('a payment without an answer ends as unconfirmed', () => {
    const call = charging();
    while (call.lastLine?.name !== 'unconfirmed') call.letWaitExpire();
    expect(call.lines.filter((line) => line.name === 'still_working')).toHaveLength(11);
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'pending' });
  });

  it('an unknown outcome is said and returned as pending', () => {
    const call = charging();
    call.send({ type: 'unconfirmed', chargeId: call.chargeId });
    expect(call.lastLine).toEqual({ name: 'unconfirmed' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId: call.chargeId });
  });
});

describe('a decline', () => {
  const KEEPS_THE_CARD: Partial<Record<DeclineCode, string>> = {
    incorrect_cvc: '456',
    expired_card: '1029456',
    incorrect_expiry: '1029456',
    incorrect_zip: '10001456',
  };

  it.each(DECLINE_CODES)('with %s asks only for the doubtful field', (code) => {
    const call = declined(charging({ asksPostalCode: true }, `${GOOD_CARD}94107`), code);
    expect(call.lastLine).toMatchObject({ name: 'declined', code });
    const keys = KEEPS_THE_CARD[code];
    call.pressKeys(keys ?? `${MASTERCARD}102745610001`);
    expect(call.charges).toHaveLength(2);
    const again = call.charges[1];
    expect(read(again?.number)).toBe(keys === undefined ? MASTERCARD : VISA);
    expect(read(again?.securityCode)).toBe('456');
    expect(read(again?.postalCode)).toBe(keys === undefined || code === 'incorrect_zip' ? '10001' : '94107');
  });

  it('of the expiry also asks for the security code, which was not kept', () => {
    const call = declined(charging(), 'expired_card');
    expect(call.lastLine).toEqual({ name: 'declined', code: 'expired_card', next: 'expiry', codeLength: 3 });
    call.finishSentence().pressKeys('1029');
    expect(question(call)).toMatchObject({ field: 'security_code', attempt: 1, error: 'needed_again' });
  });

  it('of a postal code that was not asked for asks for another card', () => {
    expect(declined(charging(), 'incorrect_zip').lastLine).toMatchObject({ next: 'card_number' });
  });

  it('wipes the declined card before asking for another one', () => {
    const call = charging();
    const { state } = call;
    declined(call, 'do_not_honor');
    expect(state.kind === 'charging' && state.context.card.number?.length).toBe(0);
  });

  it('returns the caller after three cards, with the last decline code', () => {
    const call = declined(charging(), 'do_not_honor').pressKeys(GOOD_CARD).finishSentence();
    declined(call, 'incorrect_cvc').pressKeys('456').finishSentence();
    declined(call, 'insufficient_funds');
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'declined', code: 'insufficient_funds' });
    expect(call.finishSentence().returnedWith).toEqual({
      kind: 'failed',
      reason: 'declined',
      chargeId: call.chargeId,
      declineCode: 'insufficient_funds',
    });
  });

  it.each(['processing_error', 'try_again_later'] as const)(
    'of three cards is not called a decline if no issuer decided about the last one (%s)',
    (code) => {
      const call = declined(charging(), 'do_not_honor').pressKeys(GOOD_CARD).finishSentence();
      declined(call, 'incorrect_cvc').pressKeys('456').finishSentence();
      declined(call, code);
      const { chargeId } = call;
      expect(call.finishSentence().returnedWith).toEqual({
        kind: 'failed',
        reason: 'error',
        chargeId,
        declineCode: code,
      });
    },
  );

  it('is in the outcome when the caller then cancels', () => {
    const call = declined(charging(), 'do_not_honor').pressKeys('**').finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'canceled', chargeId: call.chargeId, declineCode: 'do_not_honor' });
  });

  it('is not in the outcome when the next card pays', () => {
    const call = declined(charging(), 'do_not_honor').pressKeys(GOOD_CARD).finishSentence();
    call.send({ type: 'paid', chargeId: call.chargeId }).finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'succeeded', chargeId: call.chargeId });
  });
});

describe('an unpayable session', () => {
  it.each([
    [{ reason: 'expired' }, { kind: 'expired' }],
    [{ reason: 'unavailable' }, { kind: 'failed', reason: 'error' }],
    [{ reason: 'merchant_fault' }, { kind: 'failed', reason: 'error' }],
    [{ reason: 'keypad_unavailable' }, { kind: 'failed', reason: 'keypad_unavailable' }],
    [{ reason: 'too_many_attempts' }, { kind: 'failed', reason: 'too_many_attempts' }],
    [{ reason: 'already_paid' }, { kind: 'pending' }],
  ] as const)('because of %o is announced at the start, in the middle and at the end', (refusal, outcome) => {
    const calls = [new ConversationDriver(), ConversationDriver.afterGreeting().pressKeys('4242'), charging()];
    for (const call of calls) {
      call.send({ type: 'refused', ...refusal });
      expect(call.lastLine).toEqual({ name: refusal.reason });
      expect(call.finishSentence().returnedWith).toEqual(outcome);
    }
  });

  it('after too many declines also tells the agent about the last one', () => {
    const call = declined(charging(), 'do_not_honor').pressKeys(GOOD_CARD).finishSentence();
    call.send({ type: 'refused', reason: 'too_many_attempts' }).finishSentence();
    const { chargeId } = call;
    const reason = 'too_many_attempts';
    expect(call.returnedWith).toEqual({ kind: 'failed', reason, chargeId, declineCode: 'do_not_honor' });
  });

  it('whose amount is already held says so, and is a success with a hold', () => {
    const call = new ConversationDriver();
    call.send({ type: 'refused', reason: 'already_held', chargeId: call.chargeId });
    expect(call.lastLine).toEqual({ name: 'already_held' });
    const outcome = { kind: 'succeeded', chargeId: call.chargeId, isHold: true };
    expect(call.finishSentence().returnedWith).toEqual(outcome);
  });

  it('that was paid in another way is a success if the charge is known', () => {
    const call = ConversationDriver.afterGreeting();
    call.send({ type: 'refused', reason: 'already_paid', chargeId: call.chargeId }).finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'succeeded', chargeId: call.chargeId });
  });

  it('that is partly paid names what is left', () => {
    const call = new ConversationDriver();
    call.send({
      type: 'refused',
      reason: 'already_paid',
      chargeId: call.chargeId,
      tipCents: 300,
      remainingCents: 2_250,
    });
    expect(call.lastLine).toEqual({ name: 'already_paid', remainingCents: 2_250 });
    expect(call.finishSentence().returnedWith).toMatchObject({ kind: 'succeeded', remainingCents: 2_250 });
  });

  it.each(['already_paid', 'already_held'] as const)('with a tip returns the tip with the charge (%s)', (reason) => {
    const call = new ConversationDriver();
    call.send({ type: 'refused', reason, chargeId: call.chargeId, tipCents: 765 }).finishSentence();
    expect(call.returnedWith).toMatchObject({ kind: 'succeeded', chargeId: call.chargeId, tipCents: 765 });
  });
});

describe('a hang-up', () => {
  it.each(['', '4242', `${VISA}0928`])('before the charge (after "%s") charges nothing', (keys) => {
    const call = ConversationDriver.afterGreeting().pressKeys(keys).send({ type: 'hung_up' });
    expect(call.endedWith).toEqual({ kind: 'canceled' });
    expect(call.charges).toHaveLength(0);
  });

  it.each([
    [{ type: 'paid' }, { kind: 'succeeded' }],
    [{ type: 'unconfirmed' }, { kind: 'pending' }],
    [
      { type: 'declined', code: 'lost_card' },
      { kind: 'failed', reason: 'declined', declineCode: 'lost_card' },
    ],
    [
      { type: 'declined', code: 'processing_error' },
      { kind: 'failed', reason: 'error', declineCode: 'processing_error' },
    ],
  ] as const)('during the charge still waits for the answer %o', (answer, outcome) => {
    const call = charging().send({ type: 'hung_up' });
    expect(call.endedWith).toBeNull();
    call.send({ ...answer, chargeId: call.chargeId });
    expect(call.endedWith).toEqual({ ...outcome, chargeId: call.chargeId });
  });

  it('during a charge that is never answered ends as pending', () => {
    expect(charging().send({ type: 'hung_up' }).letWaitExpire().endedWith).toEqual({ kind: 'pending' });
  });

  it('during the last sentence or the return does not change the outcome', () => {
    const paid = () => {
      const call = charging();
      return call.send({ type: 'paid', chargeId: call.chargeId });
    };
    for (const call of [paid(), paid().finishSentence(), paid().finishSentence().send({ type: 'return_failed' })]) {
      expect(call.send({ type: 'hung_up' }).endedWith).toEqual({ kind: 'succeeded', chargeId: call.chargeId });
    }
  });

  it('has another outcome than lost media', () => {
    expect(ConversationDriver.afterGreeting().send({ type: 'media_lost' }).endedWith).toEqual({
      kind: 'failed',
      reason: 'error',
    });
  });
});
