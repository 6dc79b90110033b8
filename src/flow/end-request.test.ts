/** A user of the account ends a call: at once with a sentence, or when a charge in progress has its outcome. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver, MERCHANTS, offeredCard } from '../../test/support/conversation-driver.ts';
import type { FlowEvent } from './events.ts';

const GOOD_CARD = '42424242424242420928123';
const { chargeId } = new ConversationDriver();
const END: FlowEvent = { type: 'end_requested' };
const DECLINED: FlowEvent = { type: 'declined', chargeId, code: 'insufficient_funds' };
const PAYING: FlowEvent = { type: 'paying_elsewhere', by: 'page', chargeId };

const greeted = () => ConversationDriver.afterGreeting({ canTextLink: true });
const charging = () => greeted().pressKeys(GOOD_CARD).finishSentence();
const byLink = () => greeted().pressKeys('##').send({ type: 'link', result: 'sent', lastTwo: '34' });

describe('a request to end the call, without a charge in progress', () => {
  it.each<[string, () => ConversationDriver]>([
    ['during the greeting', () => new ConversationDriver().send({ type: 'answered' })],
    ['while waiting for a digit', greeted],
    ['while keying a card', () => greeted().pressKeys('424242')],
    ['while the link is being texted', () => greeted().pressKeys('##')],
  ])('%s: the line says so and returns the caller as after **', (_, callOf) => {
    const call = callOf().send(END);
    expect([call.lastLine, call.waiting]).toEqual([{ name: 'call_ended' }, null]);
    expect(call.pressKeys(GOOD_CARD).send(END).finishSentence().returnedWith).toEqual({ kind: 'canceled' });
    expect(call.lines.filter(({ name }) => name === 'call_ended')).toHaveLength(1);
  });

  it('after a decline: the agent learns about the decline', () => {
    const call = charging().send(DECLINED).finishSentence().send(END);
    expect(call.lastLine).toEqual({ name: 'call_ended' });
    const declineCode = 'insufficient_funds';
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'canceled', chargeId, declineCode });
  });

  it('after the link was texted: the link stays valid', () => {
    const call = byLink().send(END);
    expect(call.lastLine).toEqual({ name: 'link_stays', reason: 'ended' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'agent', reason: 'link_sent' });
  });

  it('without an agent: the call ends', () => {
    const call = ConversationDriver.afterGreeting({ returns: false }).send(END).finishSentence();
    expect([call.returnedWith, call.endedWith]).toEqual([null, { kind: 'canceled' }]);
  });

  it('before the session’s state is known: the line does not greet, and says the state', () => {
    expect(new ConversationDriver().send(END).pressKeys('4').lines).toEqual([]);
    expect(new ConversationDriver().send(END).send({ type: 'answered' }).lastLine).toEqual({ name: 'call_ended' });
    const paid = new ConversationDriver().send(END).send({ type: 'refused', reason: 'already_paid', chargeId });
    expect(paid.lastLine).toEqual({ name: 'already_paid' });
  });
});

describe('a link that is texted while the call is ending', () => {
  const sent: FlowEvent = { type: 'link', result: 'sent', lastTwo: '34' };
  const asking = () => greeted().pressKeys('##');
  const STAYS = { kind: 'agent', reason: 'link_sent' };

  it.each<[string, () => ConversationDriver, 'ended' | 'asked']>([
    ['after a request to end the call', () => asking().send(END), 'ended'],
    ['after a request to end the call during a card', () => asking().pressKeys('4242').send(END), 'ended'],
    ['after **', () => asking().pressKeys('**'), 'asked'],
  ])('%s: is mentioned to the caller and the agent', (_, callOf, reason) => {
    const call = callOf().send(sent);
    expect(call.lastLine).toEqual({ name: 'link_stays', reason });
    // Said once.
    expect(call.send(sent).lines.filter(({ name }) => name === 'link_stays')).toHaveLength(1);
    expect(call.finishSentence().returnedWith).toEqual(STAYS);
  });

  it('keeps an earlier decline in the outcome', () => {
    const call = charging().send(DECLINED).finishSentence().pressKeys('##').send(END).send(sent);
    expect(call.lastLine).toEqual({ name: 'link_stays', reason: 'ended' });
    const declineCode = 'insufficient_funds';
    expect(call.finishSentence().returnedWith).toEqual({ ...STAYS, chargeId, declineCode });
  });

  it('is not mentioned if it was not sent', () => {
    const call = asking().send(END).send({ type: 'link', result: 'not_sent', reason: 'too_often' });
    expect(call.lastLine).toEqual({ name: 'call_ended' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'canceled' });
  });

  it('is mentioned together with the decline of a charge in progress', () => {
    const charged = () => asking().pressKeys(GOOD_CARD).send(END);
    const line = { name: 'call_ended', declined: 'insufficient_funds', hasLink: true };
    for (const call of [charged().send(sent).send(DECLINED), charged().send(DECLINED).send(sent)]) {
      expect(call.finishSentence().lastLine).toEqual(line);
      const declineCode = 'insufficient_funds';
      expect(call.finishSentence().returnedWith).toEqual({ ...STAYS, chargeId, declineCode });
    }
  });

  it('is not mentioned if the session is being paid elsewhere', () => {
    const call = asking().send(END).send({ type: 'paid_elsewhere', chargeId });
    expect(call.send(sent).lastLine).toEqual({ name: 'paid_elsewhere' });
    const pending = asking().send({ type: 'unconfirmed', chargeId, elsewhere: { textFollows: false } });
    expect(pending.send(sent).lastLine).toMatchObject({ name: 'still_confirming' });
  });

  it('does not change the outcome of a caller who has already returned', () => {
    const call = asking().send(END).finishSentence();
    expect(call.send(sent).returnedWith).toEqual({ kind: 'canceled' });
    expect(call.lastLine).toEqual({ name: 'call_ended' });
  });
});

describe('a request to end the call during the choice of a merchant', () => {
  const choosing = () => new ConversationDriver({}, MERCHANTS).send({ type: 'answered' }).finishSentence();

  it('ends the call without mentioning charges', () => {
    const call = choosing().send(END);
    expect(call.lastLine).toEqual({ name: 'session_not_taken' });
    expect(call.finishSentence().endedWith).toEqual({ kind: 'canceled' });
  });

  it('waits for a claim in progress', () => {
    const call = choosing().pressKeys('2').send(END);
    expect(call.state.kind).toBe('claiming_session');
    call.send({ type: 'session_claimed', terms: call.terms }).send({ type: 'answered' });
    expect(call.lastLine).toEqual({ name: 'call_ended' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'canceled' });
  });
});

describe('a request to end the call, with a charge in progress', () => {
  it('ends the call as paid if the charge succeeds', () => {
    const call = charging().send(END);
    expect(call.state.kind).toBe('charging');
    expect(call.send({ type: 'paid', chargeId }).lastLine).toEqual({ name: 'succeeded' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'succeeded', chargeId });
  });

  it('says a decline and asks for nothing more', () => {
    const call = charging().send(END).send(DECLINED);
    expect(call.lastLine).toEqual({ name: 'call_ended', declined: 'insufficient_funds' });
    expect(call.pressKeys(GOOD_CARD).charges).toHaveLength(1);
    const declineCode = 'insufficient_funds';
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'failed', reason: 'declined', chargeId, declineCode });
  });

  it('says a decline that was waiting for the end of a sentence', () => {
    const call = greeted().pressKeys(GOOD_CARD).send(DECLINED).send(END).finishSentence();
    expect(call.lastLine).toMatchObject({ name: 'call_ended' });
  });

  it('ends the call as pending if the outcome is unknown', () => {
    const call = charging().send(END).send({ type: 'unconfirmed', chargeId });
    expect(call.lastLine).toEqual({ name: 'unconfirmed' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId });
  });

  it('says the outcome of a saved card, too', () => {
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

    it('thanks the caller if the page has paid', () => {
      expect(waiting().state.kind).toBe('waiting');
      expect(waiting().send({ type: 'paid_elsewhere', chargeId }).finishSentence().returnedWith).toEqual({
        kind: 'succeeded',
        chargeId,
      });
    });

    it('asks for nothing if the page was declined', () => {
      const call = waiting().send({ type: 'declined_elsewhere', by: 'page', chargeId, code: 'do_not_honor' });
      expect(call.lastLine).toEqual({ name: 'call_ended' });
      expect(call.finishSentence().returnedWith).toMatchObject({ kind: 'canceled', declineCode: 'do_not_honor' });
    });

    it('does not shorten the wait for a charge that is never settled', () => {
      const call = waiting();
      for (let time = 0; time < 22; time += 1) call.letWaitExpire().finishSentence();
      expect(call.letWaitExpire().finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId });
    });
  });
});

it.each<[string, () => ConversationDriver]>([
  ['hearing the outcome', () => charging().send({ type: 'paid', chargeId })],
  ['on the way back to the agent', () => charging().send({ type: 'paid', chargeId }).finishSentence()],
  ['gone while the charge is not settled', () => charging().send({ type: 'hung_up' })],
])('a request to end the call does nothing for a caller who is %s', (_, callOf) => {
  const call = callOf();
  const { state } = call;
  const orders = call.effects.length;
  expect(call.send(END).state).toBe(state);
  expect(call.effects).toHaveLength(orders);
});
