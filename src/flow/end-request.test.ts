/**
 * A call that somebody of the account ends: at once with a sentence, or once a charge that is under way has its
 * outcome.
 */
import { describe, expect, it } from 'vitest';
import { ConversationDriver, MERCHANTS, offeredCard } from '../../test/support/conversation-driver.ts';
import type { FlowEvent } from './types.ts';

const GOOD_CARD = '42424242424242420928123';
const { chargeId } = new ConversationDriver();
const END: FlowEvent = { type: 'end_requested' };
const DECLINED: FlowEvent = { type: 'declined', chargeId, code: 'insufficient_funds' };
const PAYING: FlowEvent = { type: 'paying_elsewhere', by: 'page', chargeId };

const greeted = () => ConversationDriver.afterGreeting({ canTextLink: true });
const charging = () => greeted().pressKeys(GOOD_CARD).finishSentence();
const byLink = () => greeted().pressKeys('##').send({ type: 'link', result: 'sent', lastTwo: '34' });

describe('nothing is being charged', () => {
  it.each<[string, () => ConversationDriver]>([
    ['in the greeting', () => new ConversationDriver().send({ type: 'answered' })],
    ['while a digit is awaited', greeted],
    ['in the middle of a card', () => greeted().pressKeys('424242')],
    ['while the link is being texted', () => greeted().pressKeys('##')],
  ])('%s: the caller is told, and goes back as one who wants to', (_, callOf) => {
    const call = callOf().send(END);
    expect([call.lastLine, call.waiting]).toEqual([{ name: 'call_ended' }, null]);
    expect(call.pressKeys(GOOD_CARD).send(END).finishSentence().returnedWith).toEqual({ kind: 'canceled' });
    expect(call.lines.filter(({ name }) => name === 'call_ended')).toHaveLength(1);
  });

  it('after a decline: the agent learns of it', () => {
    const call = charging().send(DECLINED).finishSentence().send(END);
    expect(call.lastLine).toEqual({ name: 'call_ended' });
    const declineCode = 'insufficient_funds';
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'canceled', chargeId, declineCode });
  });

  it('beside the texted link: it stays good', () => {
    const call = byLink().send(END);
    expect(call.lastLine).toEqual({ name: 'link_stays', reason: 'ended' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'agent', reason: 'link_sent' });
  });

  it('without an agent: the call ends', () => {
    const call = ConversationDriver.afterGreeting({ returns: false }).send(END).finishSentence();
    expect([call.returnedWith, call.endedWith]).toEqual([null, { kind: 'canceled' }]);
  });

  it('before it is known how the session stands: not greeted any more, and what stands is said', () => {
    expect(new ConversationDriver().send(END).pressKeys('4').lines).toEqual([]);
    expect(new ConversationDriver().send(END).send({ type: 'answered' }).lastLine).toEqual({ name: 'call_ended' });
    const paid = new ConversationDriver().send(END).send({ type: 'refused', reason: 'already_paid', chargeId });
    expect(paid.lastLine).toEqual({ name: 'already_paid' });
  });
});

describe('the link is texted just then', () => {
  const sent: FlowEvent = { type: 'link', result: 'sent', lastTwo: '34' };
  const asking = () => greeted().pressKeys('##');
  const STAYS = { kind: 'agent', reason: 'link_sent' };

  it.each<[string, () => ConversationDriver, 'ended' | 'asked']>([
    ['and the call is ended', () => asking().send(END), 'ended'],
    ['and the call is ended after the keypad was taken up again', () => asking().pressKeys('4242').send(END), 'ended'],
    ['and the caller asks for the agent', () => asking().pressKeys('**'), 'asked'],
  ])('%s: the caller hears of the link, and the agent learns of it', (_, callOf, reason) => {
    const call = callOf().send(sent);
    expect(call.lastLine).toEqual({ name: 'link_stays', reason });
    // Told once.
    expect(call.send(sent).lines.filter(({ name }) => name === 'link_stays')).toHaveLength(1);
    expect(call.finishSentence().returnedWith).toEqual(STAYS);
  });

  it('with the decline that came before', () => {
    const call = charging().send(DECLINED).finishSentence().pressKeys('##').send(END).send(sent);
    expect(call.lastLine).toEqual({ name: 'link_stays', reason: 'ended' });
    const declineCode = 'insufficient_funds';
    expect(call.finishSentence().returnedWith).toEqual({ ...STAYS, chargeId, declineCode });
  });

  it('and it was not: nothing more is said', () => {
    const call = asking().send(END).send({ type: 'link', result: 'not_sent', reason: 'too_often' });
    expect(call.lastLine).toEqual({ name: 'call_ended' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'canceled' });
  });

  it('while a card is being charged that is declined: the caller hears of both', () => {
    const charged = () => asking().pressKeys(GOOD_CARD).send(END);
    const line = { name: 'call_ended', declined: 'insufficient_funds', hasLink: true };
    for (const call of [charged().send(sent).send(DECLINED), charged().send(DECLINED).send(sent)]) {
      expect(call.finishSentence().lastLine).toEqual(line);
      const declineCode = 'insufficient_funds';
      expect(call.finishSentence().returnedWith).toEqual({ ...STAYS, chargeId, declineCode });
    }
  });

  it('and the payment is made elsewhere: nothing is said of the link', () => {
    const call = asking().send(END).send({ type: 'paid_elsewhere', chargeId });
    expect(call.send(sent).lastLine).toEqual({ name: 'paid_elsewhere' });
    const pending = asking().send({ type: 'unconfirmed', chargeId, elsewhere: { textFollows: false } });
    expect(pending.send(sent).lastLine).toMatchObject({ name: 'still_confirming' });
  });

  it('and the caller is back with the agent already: the outcome stands', () => {
    const call = asking().send(END).finishSentence();
    expect(call.send(sent).returnedWith).toEqual({ kind: 'canceled' });
    expect(call.lastLine).toEqual({ name: 'call_ended' });
  });
});

describe('the caller is asked which merchant the call is for', () => {
  const choosing = () => new ConversationDriver({}, MERCHANTS).send({ type: 'answered' }).finishSentence();

  it('and has not said: nothing is said of charges', () => {
    const call = choosing().send(END);
    expect(call.lastLine).toEqual({ name: 'session_not_taken' });
    expect(call.finishSentence().endedWith).toEqual({ kind: 'canceled' });
  });

  it('and the session is being claimed: the claim is waited for', () => {
    const call = choosing().pressKeys('2').send(END);
    expect(call.state.kind).toBe('taking_session');
    call.send({ type: 'session_taken', terms: call.terms }).send({ type: 'answered' });
    expect(call.lastLine).toEqual({ name: 'call_ended' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'canceled' });
  });
});

describe('a charge is under way', () => {
  it('that is paid: the call ends as paid', () => {
    const call = charging().send(END);
    expect(call.state.kind).toBe('charging');
    expect(call.send({ type: 'paid', chargeId }).lastLine).toEqual({ name: 'succeeded' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'succeeded', chargeId });
  });

  it('that is declined: the caller hears of it, and is asked for nothing more', () => {
    const call = charging().send(END).send(DECLINED);
    expect(call.lastLine).toEqual({ name: 'call_ended', declined: 'insufficient_funds' });
    expect(call.pressKeys(GOOD_CARD).charges).toHaveLength(1);
    const declineCode = 'insufficient_funds';
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'failed', reason: 'declined', chargeId, declineCode });
  });

  it('whose answer waits for the end of a sentence: likewise', () => {
    const call = greeted().pressKeys(GOOD_CARD).send(DECLINED).send(END).finishSentence();
    expect(call.lastLine).toMatchObject({ name: 'call_ended' });
  });

  it('whose outcome is not known: the call ends as pending', () => {
    const call = charging().send(END).send({ type: 'unconfirmed', chargeId });
    expect(call.lastLine).toEqual({ name: 'unconfirmed' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId });
  });

  it('of a saved card', () => {
    const savedCards = [offeredCard('a', 'VISA', '4242')];
    const saved = () => ConversationDriver.afterGreeting({ savedCards }).pressKeys('1').finishSentence().send(END);
    expect(saved().send(DECLINED).lastLine).toEqual({
      name: 'call_ended',
      declined: 'insufficient_funds',
      wasSaved: true,
    });
    const unusable = saved().send({ type: 'saved_card_unusable' });
    expect(unusable.lastLine).toEqual({ name: 'call_ended' });
    expect(unusable.finishSentence().returnedWith).toEqual({ kind: 'canceled' });
  });

  describe('on the page', () => {
    const waiting = () => greeted().send(PAYING).finishSentence().send(END);

    it('and paid: the caller is thanked', () => {
      expect(waiting().state.kind).toBe('waiting');
      expect(waiting().send({ type: 'paid_elsewhere', chargeId }).finishSentence().returnedWith).toEqual({
        kind: 'succeeded',
        chargeId,
      });
    });

    it('and declined: nothing is asked', () => {
      const call = waiting().send({ type: 'declined_elsewhere', by: 'page', chargeId, code: 'do_not_honor' });
      expect(call.lastLine).toEqual({ name: 'call_ended' });
      expect(call.finishSentence().returnedWith).toMatchObject({ kind: 'canceled', declineCode: 'do_not_honor' });
    });

    it('and never settled: the wait ends as it does without the request', () => {
      const call = waiting();
      for (let time = 0; time < 22; time += 1) call.letWaitExpire().finishSentence();
      expect(call.letWaitExpire().finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId });
    });
  });
});

it.each<[string, () => ConversationDriver]>([
  ['hearing the outcome', () => charging().send({ type: 'paid', chargeId })],
  ['on the way back to the agent', () => charging().send({ type: 'paid', chargeId }).finishSentence()],
  ['gone, and the charge is not settled', () => charging().send({ type: 'hung_up' })],
])('a caller who is %s is left alone', (_, callOf) => {
  const call = callOf();
  const { state } = call;
  const orders = call.effects.length;
  expect(call.send(END).state).toBe(state);
  expect(call.effects).toHaveLength(orders);
});
