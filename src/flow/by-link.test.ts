/**
 * Switching between keypad and link: `##` has the link texted, the line waits for the payment, and a digit resumes the
 * keypad.
 */
import { describe, expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import type { FlowEvent } from './events.ts';
import type { Terms } from './terms.ts';

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
const offeredLink = (terms: Partial<Terms> = {}) => greeted(terms).pressKeys('##');
/** The caller has also heard that the link is on its way. */
const byLink = (terms: Partial<Terms> = {}) => offeredLink(terms).send(SENT).finishSentence();
/** The merchant's processor accepts no keyed cards, and the call is answered. */
const withoutKeypad = () =>
  new ConversationDriver({ takesKeypad: false, canTextLink: true }).send({ type: 'answered' });

const linesOf = (call: ConversationDriver) => call.lines.map(({ name }) => name);

describe('##', () => {
  it('has the link texted, says to which number, and waits', () => {
    const call = offeredLink();
    expect([call.state.kind, call.links]).toEqual(['sending_link', 1]);
    call.send(SENT);
    expect(call.lastLine).toEqual({ name: 'link_sent', lastTwo: '34', byLink: 'or_keypad' });
    expect([call.state.kind, call.waiting]).toEqual(['by_link', WAIT_MS]);
  });

  it('stops the greeting, also before the call is answered', () => {
    const over = new ConversationDriver({ canTextLink: true }).send({ type: 'answered' }).pressKeys('##');
    const before = new ConversationDriver({ canTextLink: true }).pressKeys('##').send({ type: 'answered' });
    for (const call of [over, before])
      expect([call.state.kind, call.speaking, call.links]).toEqual(['sending_link', false, 1]);
  });

  it('requests one text when pressed repeatedly', () => {
    const call = greeted().pressKeys('######');
    expect([call.state.kind, call.links]).toEqual(['sending_link', 1]);
    call.send(SENT).pressKeys('####').finishSentence().pressKeys('##');
    expect([call.state.kind, call.links]).toEqual(['by_link', 1]);
  });

  it('is not a late # after a field, nor two # with another key between', () => {
    expect(greeted().pressKeys(`${VISA}#0928#`).links).toBe(0);
    expect(greeted().pressKeys('#*#').links).toBe(0);
  });

  it('counts if the sentence ends between the two keys', () => {
    const call = new ConversationDriver({ canTextLink: true }).send({ type: 'answered' }).pressKeys('#');
    expect(call.finishSentence().pressKeys('#').links).toBe(1);
  });

  it('first ends a field that has digits', () => {
    const call = greeted().pressKeys('4222222222222##');
    expect(call.lastLine).toMatchObject({ name: 'ask', field: 'expiry' });
    expect(call.links).toBe(0);
    expect(call.pressKeys('#').links).toBe(1);
  });

  it('is ignored while a charge is in flight and while the page is paying', () => {
    const charging = greeted().pressKeys(`${VISA}0928123`).pressKeys('##');
    const waiting = greeted().send(PAYING).pressKeys('##');
    expect([charging.state.kind, charging.links, waiting.state.kind, waiting.links]).toEqual([
      'charging',
      0,
      'waiting',
      0,
    ]);
  });

  it('says that no link can be texted, resumes the keypad, and is not a failed try', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('##');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: 'link_not_sent' });
    expect(call.links).toBe(0);
  });

  it('keeps the card so far if the link could not be texted', () => {
    const call = greeted().pressKeys(`${VISA}##`).send(NOT_SENT);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'expiry', attempt: 1, error: 'link_not_sent' });
    expect(call.finishSentence().waiting).toBe(10_000);
    expect(call.pressKeys('0928123').charges[0]?.number.reveal((number) => number)).toBe(VISA);
  });

  it('resumes the keypad if no answer comes', () => {
    const call = offeredLink();
    expect(call.waiting).toBe(2_000);
    expect(call.letWaitExpire().lastLine).toEqual({ name: 'one_moment' });
    call.finishSentence().letWaitExpire();
    expect(call.lastLine).toMatchObject({ name: 'ask', field: 'card_number', error: 'link_not_sent' });
    // It was sent nevertheless: the line says so when the caller falls silent.
    call.finishSentence().send(SENT).letWaitExpire();
    expect(call.lastLine).toMatchObject({ name: 'link_sent', lastTwo: '34' });
  });

  it('followed by ** tells the agent about the link only if it was texted', () => {
    expect(offeredLink().pressKeys('**').finishSentence().returnedWith).toEqual({ kind: 'canceled' });
    const announced = offeredLink().letWaitExpire().send(SENT).pressKeys('**');
    expect(announced.finishSentence().returnedWith).toEqual(AGENT);
  });

  it('says the answer after the current sentence', () => {
    const call = offeredLink().letWaitExpire().send(SENT);
    expect(call.lastLine).toEqual({ name: 'one_moment' });
    expect(call.waiting).toBeNull();
    expect(call.finishSentence().lastLine).toMatchObject({ name: 'link_sent' });
  });
});

describe('the offer of the link', () => {
  it('comes after a failed try and after a decline, but not at first, not with a choice, and not twice', () => {
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

  it('is missing if no link can be texted', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('1#');
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 2, error: 'incomplete' });
  });
});

describe('while the line waits for the payment by link', () => {
  it('it says so every 20 s, names the choices once a minute, and returns the caller after five minutes', () => {
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

  it('a reminder never interrupts a sentence', () => {
    const call = offeredLink().send(SENT).letWaitExpire();
    expect(linesOf(call)).toEqual(['greeting', 'link_sent']);
    expect(call.waiting).toBe(WAIT_MS);
  });

  it('it says once that the page was opened, and remembers it', () => {
    const call = byLink().send(OPENED).send(OPENED).finishSentence();
    expect(linesOf(call)).toEqual(['greeting', 'link_sent', 'link_opened']);
    expect(call.letWaitExpire().lastLine).toMatchObject({ name: 'link_waiting', isOpened: true });
  });

  it('it mentions a page that was opened early only after the sentence about the text', () => {
    for (const call of [offeredLink().send(OPENED).send(SENT), offeredLink().send(SENT).send(OPENED)]) {
      expect(linesOf(call.finishSentence())).toEqual(['greeting', 'link_sent', 'link_opened']);
    }
  });

  it('it resumes the keypad if the text was not delivered, and the agent learns about no link', () => {
    const call = byLink().send(NOT_SENT);
    expect(call.lastLine).toEqual({ name: 'ask', field: 'card_number', attempt: 1, error: 'link_not_sent' });
    expect(call.pressKeys('**').finishSentence().returnedWith).toEqual({ kind: 'canceled' });
    const alone = withoutKeypad().send(SENT).finishSentence().send(NOT_SENT).finishSentence();
    expect(alone.returnedWith).toEqual({ kind: 'failed', reason: 'keypad_unavailable' });
    expect(byLink().send(OPENED).send(NOT_SENT).state.kind).toBe('by_link');
  });

  it('it thanks the caller for the payment and returns them', () => {
    const call = byLink().send(PAYING).finishSentence().send(PAID);
    expect(linesOf(call)).toEqual(['greeting', 'link_sent', 'paying_elsewhere', 'paid_elsewhere']);
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'succeeded', chargeId });
  });

  it('it says at once, or instead of the next sentence, that the bank asks for a confirmation', () => {
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

  it('it says that the page was declined, and waits five more minutes', () => {
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

  it('it says a decline that came without notice, but not one of an agent’s attempt', () => {
    expect(byLink().send(DECLINED).lastLine).toMatchObject({ name: 'declined_elsewhere' });
    const call = byLink().send({ ...DECLINED, by: 'other' });
    expect(call.lastLine).toMatchObject({ name: 'link_sent' });
  });

  it('a digit resumes the keypad and is the first of a card number', () => {
    const call = byLink().pressKeys(VISA);
    expect(call.lastLine).toMatchObject({ name: 'ask', field: 'expiry' });
    call.pressKeys('0928123').finishSentence().send({ type: 'paid', chargeId }).finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'succeeded', chargeId });
  });

  it('a digit stops the sentence, and a card from before ## is wiped', () => {
    const call = greeted().pressKeys(`${VISA}09##`).send(SENT);
    expect(call.links).toBe(0);
    const again = greeted().pressKeys(`${VISA}##`).send(SENT).pressKeys('5');
    expect(again.speaking).toBe(false);
    expect(again.state.kind === 'collecting' && again.state.context.card.number).toBeNull();
  });

  it('it continues to wait for a caller who stops using the keypad again', () => {
    const call = byLink().pressKeys('4').letWaitExpire();
    expect(call.lastLine).toMatchObject({ name: 'ask', attempt: 2, error: 'incomplete' });
    expect(call.finishSentence().letWaitExpire().lastLine).toMatchObject({ name: 'link_waiting' });
    expect(call.state.kind).toBe('by_link');
  });

  it('repeated digits and ## do not keep the line busy forever', () => {
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

  it('** returns to the agent and the link stays valid, but a single * does nothing', () => {
    const call = byLink().pressKeys('*');
    expect(call.state.kind).toBe('by_link');
    call.pressKeys('*');
    expect(call.lastLine).toEqual({ name: 'link_stays', reason: 'asked' });
    expect(call.finishSentence().returnedWith).toEqual(AGENT);
  });

  it('the agent learns about the link also after ** on the keypad', () => {
    expect(byLink().pressKeys('4**').finishSentence().returnedWith).toEqual(AGENT);
  });

  it('the link survives a shutdown of the line, but not the end of the session', () => {
    const stopped = byLink().send({ type: 'refused', reason: 'unavailable' });
    expect(stopped.finishSentence().returnedWith).toEqual(AGENT);
    const over = byLink().send({ type: 'refused', reason: 'expired' });
    expect(over.lastLine).toEqual({ name: 'expired' });
    expect(over.finishSentence().returnedWith).toEqual({ kind: 'expired' });
  });

  it.each([
    ['hung_up', { kind: 'canceled', reason: 'link_sent' }],
    ['media_lost', AGENT],
  ] as const)('the outcome after %s mentions the link', (type, outcome) => {
    expect(byLink().send({ type }).endedWith).toEqual(outcome);
    expect(byLink().pressKeys('4').send({ type }).endedWith).toEqual(outcome);
  });

  it('the outcome mentions the link also if there is no agent, or the agent does not answer', () => {
    expect(byLink({ returns: false }).pressKeys('**').finishSentence().endedWith).toEqual(AGENT);
    const call = byLink().pressKeys('**').finishSentence().send({ type: 'return_failed' });
    expect(call.lastLine).toEqual({ name: 'goodbye', outcome: 'agent' });
  });

  it('only one of the page and a keyed card is charged if both come in the same second', () => {
    const call = byLink().pressKeys(`${VISA}0928`).send(PAYING).pressKeys('123');
    expect([call.state.kind, call.charges]).toEqual(['waiting', []]);
    const second = byLink().pressKeys(`${VISA}0928123`).send(PAYING).finishSentence();
    expect(second.charges).toHaveLength(1);
    expect(second.lastLine).toEqual({ name: 'paying_elsewhere', by: 'page' });
    // The failure resumes the link, not the keypad alone.
    expect(second.finishSentence().send(DECLINED).lastLine).toMatchObject({ byLink: 'or_keypad' });
  });
});

describe('a call to a merchant without keypad', () => {
  it('starts with the greeting and sends the link at once', () => {
    const call = withoutKeypad();
    expect([call.lastLine, call.links]).toEqual([{ name: 'greeting', byLink: true }, 1]);
    expect(call.send(SENT).lines).toHaveLength(1);
    expect(call.finishSentence().lastLine).toEqual({ name: 'link_sent', lastTwo: '34', byLink: 'link_only' });
  });

  it('ignores keys before the answer', () => {
    const call = new ConversationDriver({ takesKeypad: false, canTextLink: true }).pressKeys('424');
    expect([call.state.kind, call.links]).toEqual(['sending_link', 1]);
  });

  it('ignores digits, and returns to the agent on **', () => {
    const call = withoutKeypad().send(SENT).finishSentence().pressKeys(`${VISA}0928123##`);
    expect([call.state.kind, call.charges, call.links]).toEqual(['by_link', [], 1]);
    expect(call.pressKeys('**').finishSentence().returnedWith).toEqual(AGENT);
  });

  it('continues with the link after a decline on the page', () => {
    const call = withoutKeypad().send(SENT).finishSentence().send(PAYING).finishSentence().send(DECLINED);
    expect(call.lastLine).toEqual({ name: 'declined_elsewhere', by: 'page', byLink: 'link_only' });
  });

  it.each([
    ['could not be texted', (call: ConversationDriver) => call.send(NOT_SENT).finishSentence()],
    ['got no answer', (call: ConversationDriver) => call.finishSentence().letWaitExpire()],
  ])('returns to the agent if the link %s', (_, answer) => {
    const call = answer(withoutKeypad());
    expect(call.lastLine).toEqual({ name: 'keypad_unavailable' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'failed', reason: 'keypad_unavailable' });
  });

  it('returns to the agent at once if no link can be texted', () => {
    const call = new ConversationDriver({ takesKeypad: false }).send({ type: 'answered' });
    expect(linesOf(call)).toEqual(['keypad_unavailable']);
  });
});
