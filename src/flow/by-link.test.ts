/** Keypad and link, both ways: `##` has the link texted, the line waits beside it, a digit brings the keypad back. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import type { FlowEvent, Terms } from './types.ts';

const VISA = '4242424242424242';
const { chargeId } = new ConversationDriver();

const SENT: FlowEvent = { type: 'link', result: 'sent', lastTwo: '34' };
const NOT_SENT: FlowEvent = { type: 'link', result: 'not_sent', reason: 'too_often' };
const OPENED: FlowEvent = { type: 'page_opened' };
const PAYING: FlowEvent = { type: 'paying_elsewhere', by: 'page', chargeId };
const PAID: FlowEvent = { type: 'paid_elsewhere', chargeId };
const DECLINED: FlowEvent = { type: 'declined_elsewhere', by: 'page', chargeId, code: 'insufficient_funds' };
const AGENT = { kind: 'agent', reason: 'link_sent' };
const WAIT_MS = 20_000;

const greeted = (terms: Partial<Terms> = {}) => ConversationDriver.afterGreeting({ canTextLink: true, ...terms });
/** The caller has pressed `##`. */
const asked = (terms: Partial<Terms> = {}) => greeted(terms).pressKeys('##');
/** And has heard that the link is on its way. */
const byLink = (terms: Partial<Terms> = {}) => asked(terms).send(SENT).finishSentence();
/** The merchant's processor takes no keyed card, and the call is answered. */
const withoutKeypad = () =>
  new ConversationDriver({ takesKeypad: false, canTextLink: true }).send({ type: 'answered' });

const linesOf = (call: ConversationDriver) => call.lines.map(({ name }) => name);

describe('##', () => {
  it('has the link texted, says to which number, and waits', () => {
    const call = asked();
    expect([call.state.kind, call.links]).toEqual(['sending_link', 1]);
    call.send(SENT);
    expect(call.lastLine).toEqual({ name: 'link_sent', lastTwo: '34', byLink: 'or_keypad' });
    expect([call.state.kind, call.waiting]).toEqual(['by_link', WAIT_MS]);
  });

  it('over the greeting stops it, before the answer, too', () => {
    const over = new ConversationDriver({ canTextLink: true }).send({ type: 'answered' }).pressKeys('##');
    const before = new ConversationDriver({ canTextLink: true }).pressKeys('##').send({ type: 'answered' });
    for (const call of [over, before])
      expect([call.state.kind, call.speaking, call.links]).toEqual(['sending_link', false, 1]);
  });

  it('mashed is one text', () => {
    const call = greeted().pressKeys('######');
    expect([call.state.kind, call.links]).toEqual(['sending_link', 1]);
    call.send(SENT).pressKeys('####').finishSentence().pressKeys('##');
    expect([call.state.kind, call.links]).toEqual(['by_link', 1]);
  });

  it('is not one # that ends a field late, nor two with something between', () => {
    expect(greeted().pressKeys(`${VISA}#0928#`).links).toBe(0);
    expect(greeted().pressKeys('#*#').links).toBe(0);
  });

  it('counts where the sentence ends between the two', () => {
    const call = new ConversationDriver({ canTextLink: true }).send({ type: 'answered' }).pressKeys('#');
    expect(call.finishSentence().pressKeys('#').links).toBe(1);
  });

  it('ends a field with digits first', () => {
    const call = greeted().pressKeys('4222222222222##');
    expect(call.lastLine).toMatchObject({ name: 'ask', field: 'expiry' });
    expect(call.links).toBe(0);
    expect(call.pressKeys('#').links).toBe(1);
  });

  it('is ignored while a charge is in flight, and while the page is paying', () => {
    const charging = greeted().pressKeys(`${VISA}0928123`).pressKeys('##');
    const waiting = greeted().send(PAYING).pressKeys('##');
    expect([charging.state.kind, charging.links, waiting.state.kind, waiting.links]).toEqual([
      'charging',
      0,
      'waiting',
      0,
    ]);
  });

  it('where no link can be texted: said, on with the keypad, and not a failed try', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('##');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: 'link_not_sent' });
    expect(call.links).toBe(0);
  });

  it('that could not be texted: said, and what was keyed is kept', () => {
    const call = greeted().pressKeys(`${VISA}##`).send(NOT_SENT);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'expiry', attempt: 1, error: 'link_not_sent' });
    expect(call.finishSentence().waiting).toBe(10_000);
    expect(call.pressKeys('0928123').charges[0]?.number.reveal((number) => number)).toBe(VISA);
  });

  it('without an answer: announced, then on with the keypad', () => {
    const call = asked();
    expect(call.waiting).toBe(2_000);
    expect(call.letWaitExpire().lastLine).toEqual({ name: 'one_moment' });
    call.finishSentence().letWaitExpire();
    expect(call.lastLine).toMatchObject({ name: 'ask', field: 'card_number', error: 'link_not_sent' });
    // It went out after all: the line knows when the caller falls silent.
    call.finishSentence().send(SENT).letWaitExpire();
    expect(call.lastLine).toMatchObject({ name: 'link_sent', lastTwo: '34' });
  });

  it('and ** at once: the agent learns of the link only where there is one', () => {
    expect(asked().pressKeys('**').finishSentence().returnedWith).toEqual({ kind: 'canceled' });
    const announced = asked().letWaitExpire().send(SENT).pressKeys('**');
    expect(announced.finishSentence().returnedWith).toEqual(AGENT);
  });

  it('answered in the middle of a sentence is told after it', () => {
    const call = asked().letWaitExpire().send(SENT);
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    expect(call.waiting).toBeNull();
    expect(call.finishSentence().lastLine).toMatchObject({ name: 'link_sent' });
  });
});

describe('the link is offered', () => {
  it('where a try failed and where a card was declined, not at first, not beside a choice, not twice', () => {
    const call = greeted({ asksConfirmation: true });
    expect(call.lines).toEqual([{ name: 'greeting' }]);
    expect(call.pressKeys('12#').lastLine).toMatchObject({ attempt: 2, offersLink: true });
    expect(call.pressKeys(VISA).lastLine).toEqual({ name: 'ask', field: 'expiry', attempt: 1, error: null });
    call.pressKeys('0928123').finishSentence().pressKeys('5');
    expect(call.lastLine).toEqual({
      name: 'ask',
      field: 'confirmation',
      attempt: 2,
      error: 'looks_wrong',
      lastFour: '4242',
    });
    call.pressKeys('1').finishSentence().send({ type: 'declined', chargeId, code: 'do_not_honor' });
    expect(call.lastLine).toMatchObject({ name: 'declined', offersLink: true });
    call.pressKeys('##').send(SENT).pressKeys('1#');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 2, error: 'incomplete' });
  });

  it('not where none can be texted', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('1#');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 2, error: 'incomplete' });
  });
});

describe('beside the link', () => {
  it('the caller hears every 20 s that we wait, once a minute what else can be done, and after five minutes goes back', () => {
    const call = byLink();
    const choices: unknown[] = [];
    for (let wait = 1; wait < 15; wait += 1) {
      expect(call.waiting).toBe(WAIT_MS);
      call.letWaitExpire().finishSentence();
      const { lastLine } = call;
      if (lastLine?.name !== 'link_waiting') throw new Error(lastLine?.name);
      if (lastLine.choices !== null) choices.push(wait);
    }
    expect(choices).toEqual([3, 6, 9, 12]);
    expect(call.letWaitExpire().lastLine).toEqual({ name: 'link_stays', reason: 'no_payment' });
    expect(call.finishSentence().returnedWith).toEqual(AGENT);
  });

  it('a reminder never cuts a sentence short', () => {
    const call = asked().send(SENT).letWaitExpire();
    expect(linesOf(call)).toEqual(['greeting', 'link_sent']);
    expect(call.waiting).toBe(WAIT_MS);
  });

  it('the page is opened: told once, and remembered', () => {
    const call = byLink().send(OPENED).send(OPENED).finishSentence();
    expect(linesOf(call)).toEqual(['greeting', 'link_sent', 'link_opened']);
    expect(call.letWaitExpire().lastLine).toMatchObject({ name: 'link_waiting', isOpened: true });
  });

  it('the page is opened while the text is sent or told of: told after that', () => {
    for (const call of [asked().send(OPENED).send(SENT), asked().send(SENT).send(OPENED)]) {
      expect(linesOf(call.finishSentence())).toEqual(['greeting', 'link_sent', 'link_opened']);
    }
  });

  it('the text does not go out after all: said, on with the keypad, and the agent is told of no link', () => {
    const call = byLink().send(NOT_SENT);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: 'link_not_sent' });
    expect(call.pressKeys('**').finishSentence().returnedWith).toEqual({ kind: 'canceled' });
    const alone = withoutKeypad().send(SENT).finishSentence().send(NOT_SENT).finishSentence();
    expect(alone.returnedWith).toEqual({ kind: 'failed', reason: 'keypad_unavailable' });
    expect(byLink().send(OPENED).send(NOT_SENT).state.kind).toBe('by_link');
  });

  it('paid: told, and back', () => {
    const call = byLink().send(PAYING).finishSentence().send(PAID);
    expect(linesOf(call)).toEqual(['greeting', 'link_sent', 'paying_elsewhere', 'paid_elsewhere']);
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'succeeded', chargeId });
  });

  it('the bank asks on the page: told at once, or instead of the next sentence, until it is paid', () => {
    const asking: FlowEvent = { ...PAYING, bankAsks: true };
    const line = { name: 'waiting_elsewhere', by: 'page', bankAsks: true };
    const call = byLink().send(PAYING).finishSentence().send(asking).send(asking);
    expect(call.lastLine).toEqual(line);
    expect(linesOf(call).filter((name) => name === 'waiting_elsewhere')).toHaveLength(1);
    expect(call.finishSentence().letWaitExpire().lastLine).toEqual(line);
    expect(call.send(PAID).finishSentence().lastLine).toEqual({ name: 'paid_elsewhere' });
    expect(byLink().send(asking).lastLine).toEqual(line);
    const over = byLink().send(PAYING).send(asking);
    expect(over.lastLine).toEqual({ name: 'paying_elsewhere', by: 'page' });
    expect(over.finishSentence().letWaitExpire().lastLine).toEqual(line);
  });

  it('declined: told, and the link is good for five more minutes', () => {
    const call = byLink();
    for (let wait = 1; wait < 15; wait += 1) call.letWaitExpire().finishSentence();
    call.send(PAYING).finishSentence().send(DECLINED);
    expect(call.lastLine).toEqual({ name: 'declined_elsewhere', by: 'page', byLink: 'or_keypad' });
    for (let wait = 1; wait < 15; wait += 1) call.finishSentence().letWaitExpire();
    expect(call.finishSentence().letWaitExpire().finishSentence().returnedWith).toEqual({
      ...AGENT,
      chargeId,
      declineCode: 'insufficient_funds',
    });
  });

  it('declined without a word before it: told, but not an agent’s try', () => {
    expect(byLink().send(DECLINED).lastLine).toMatchObject({ name: 'declined_elsewhere' });
    const call = byLink().send({ ...DECLINED, by: 'other' });
    expect(call.lastLine).toMatchObject({ name: 'link_sent' });
  });

  it('a digit brings the keypad back and is the first of a card number', () => {
    const call = byLink().pressKeys(VISA);
    expect(call.lastLine).toMatchObject({ name: 'ask', field: 'expiry' });
    call.pressKeys('0928123').finishSentence().send({ type: 'paid', chargeId }).finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'succeeded', chargeId });
  });

  it('a digit stops the sentence; a card that was begun before ## is gone', () => {
    const call = greeted().pressKeys(`${VISA}09##`).send(SENT);
    expect(call.links).toBe(0);
    const again = greeted().pressKeys(`${VISA}##`).send(SENT).pressKeys('5');
    expect(again.speaking).toBe(false);
    expect(again.state.kind === 'collecting' && again.state.context.card.number).toBeNull();
  });

  it('a caller who leaves the keypad alone again is not asked to death: the line goes on waiting', () => {
    const call = byLink().pressKeys('4').letWaitExpire();
    expect(call.lastLine).toMatchObject({ name: 'ask', attempt: 2, error: 'incomplete' });
    expect(call.finishSentence().letWaitExpire().lastLine).toMatchObject({ name: 'link_waiting' });
    expect(call.state.kind).toBe('by_link');
  });

  it('digits and ## again and again do not hold the line for ever', () => {
    const call = byLink();
    let rounds = 0;
    while (call.returnedWith === null && rounds < 100) {
      rounds += 1;
      call.pressKeys('4').letWaitExpire().finishSentence().pressKeys('##').send(SENT).finishSentence().letWaitExpire();
      call.finishSentence();
    }
    expect(rounds).toBeLessThanOrEqual(15);
    expect(call.returnedWith).toEqual(AGENT);
  });

  it('** goes to the agent, and the link lives on; one * does not', () => {
    const call = byLink().pressKeys('*');
    expect(call.state.kind).toBe('by_link');
    call.pressKeys('*');
    expect(call.lastLine).toEqual({ name: 'link_stays', reason: 'asked' });
    expect(call.finishSentence().returnedWith).toEqual(AGENT);
  });

  it('** on the keypad, too, tells the agent of the link', () => {
    expect(byLink().pressKeys('4**').finishSentence().returnedWith).toEqual(AGENT);
  });

  it('the line stops: the link does not; the session is over: so is the link', () => {
    const stopped = byLink().send({ type: 'refused', reason: 'unavailable' });
    expect(stopped.finishSentence().returnedWith).toEqual(AGENT);
    const over = byLink().send({ type: 'refused', reason: 'expired' });
    expect(over.lastLine).toEqual({ name: 'expired' });
    expect(over.finishSentence().returnedWith).toEqual({ kind: 'expired' });
  });

  it.each([
    ['hung_up', { kind: 'canceled', reason: 'link_sent' }],
    ['media_lost', AGENT],
  ] as const)('%s: the record tells of the link', (type, outcome) => {
    expect(byLink().send({ type }).endedWith).toEqual(outcome);
    expect(byLink().pressKeys('4').send({ type }).endedWith).toEqual(outcome);
  });

  it('no agent to go back to, or none that answers: the goodbye is told of the link', () => {
    expect(byLink({ returns: false }).pressKeys('**').finishSentence().endedWith).toEqual(AGENT);
    const call = byLink().pressKeys('**').finishSentence().send({ type: 'return_failed' });
    expect(call.lastLine).toEqual({ name: 'goodbye', outcome: 'agent' });
  });

  it('the page and a whole card in the same second: one of them is charged', () => {
    const call = byLink().pressKeys(`${VISA}0928`).send(PAYING).pressKeys('123');
    expect([call.state.kind, call.charges]).toEqual(['waiting', []]);
    const second = byLink().pressKeys(`${VISA}0928123`).send(PAYING).finishSentence();
    expect(second.charges).toHaveLength(1);
    expect(second.lastLine).toEqual({ name: 'paying_elsewhere', by: 'page' });
    // That it failed brings the link back, not the keypad alone.
    expect(second.finishSentence().send(DECLINED).lastLine).toMatchObject({ byLink: 'or_keypad' });
  });
});

describe('no card can be keyed', () => {
  it('the greeting, then the link at once', () => {
    const call = withoutKeypad();
    expect([call.lastLine, call.links]).toEqual([{ name: 'greeting', byLink: true }, 1]);
    expect(call.send(SENT).lines).toHaveLength(1);
    expect(call.finishSentence().lastLine).toEqual({ name: 'link_sent', lastTwo: '34', byLink: 'link_only' });
  });

  it('keys before the answer are the greeting’s', () => {
    const call = new ConversationDriver({ takesKeypad: false, canTextLink: true }).pressKeys('424');
    expect([call.state.kind, call.links]).toEqual(['sending_link', 1]);
  });

  it('digits bring nothing back; ** goes to the agent', () => {
    const call = withoutKeypad().send(SENT).finishSentence().pressKeys(`${VISA}0928123##`);
    expect([call.state.kind, call.charges, call.links]).toEqual(['by_link', [], 1]);
    expect(call.pressKeys('**').finishSentence().returnedWith).toEqual(AGENT);
  });

  it('declined on the page: the link again', () => {
    const call = withoutKeypad().send(SENT).finishSentence().send(PAYING).finishSentence().send(DECLINED);
    expect(call.lastLine).toEqual({ name: 'declined_elsewhere', by: 'page', byLink: 'link_only' });
  });

  it.each([
    ['not sent', (call: ConversationDriver) => call.send(NOT_SENT).finishSentence()],
    ['no answer', (call: ConversationDriver) => call.finishSentence().letWaitExpire()],
  ])('%s: back to the agent', (_, answer) => {
    const call = answer(withoutKeypad());
    expect(call.lastLine).toEqual({ name: 'keypad_unavailable' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'failed', reason: 'keypad_unavailable' });
  });

  it('and no link can be texted: back to the agent at once', () => {
    const call = new ConversationDriver({ takesKeypad: false }).send({ type: 'answered' });
    expect(linesOf(call)).toEqual(['keypad_unavailable']);
  });
});
