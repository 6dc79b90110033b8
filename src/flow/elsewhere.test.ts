/** A payment on the page during a call: what the line says, when it waits, and how it continues. */
import { describe, expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import type { FlowEvent } from './events.ts';

const VISA = '4242424242424242';
const GOOD_CARD = `${VISA}0928123`;
const { chargeId } = new ConversationDriver();

const PAYING: FlowEvent = { type: 'paying_elsewhere', by: 'page', chargeId };
const PAID: FlowEvent = { type: 'paid_elsewhere', chargeId };
const DECLINED: FlowEvent = { type: 'declined_elsewhere', by: 'page', chargeId, code: 'insufficient_funds' };
const OPENED: FlowEvent = { type: 'page_opened' };
const WAIT_MS = 8_000;

/** The caller has pressed Pay on the page, and has heard that the line waits. */
const waiting = () => ConversationDriver.afterGreeting().send(PAYING).finishSentence();

describe('the page is opened', () => {
  it('in silence: says at once that the caller may pay on either', () => {
    const call = ConversationDriver.afterGreeting().send(OPENED);
    expect(call.lastLine).toEqual({ name: 'page_opened' });
    expect(call.finishSentence().waiting).toBe(10_000);
  });

  it('during the greeting: says so after it, once', () => {
    const call = new ConversationDriver().send({ type: 'answered' }).send(OPENED).send(OPENED);
    expect(call.lastLine).toEqual({ name: 'greeting' });
    call.finishSentence().send(OPENED).finishSentence().send(OPENED);
    expect(call.lines.map(({ name }) => name)).toEqual(['greeting', 'page_opened']);
  });

  it('while the caller keys a card: does not interrupt', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('4242').send(OPENED).pressKeys(VISA.slice(4));
    call.finishSentence();
    expect(call.lines.map(({ name }) => name)).toEqual(['greeting', 'ask']);
  });

  it('silence is not a failed try for a while', () => {
    const call = ConversationDriver.afterGreeting().send(OPENED).finishSentence();
    for (let time = 0; time < 8; time += 1) {
      expect(call.letWaitExpire().lastLine).toEqual({ name: 'page_patience' });
      call.finishSentence();
    }
    expect(call.letWaitExpire().lastLine).toMatchObject({ name: 'ask', attempt: 2, error: 'nothing_keyed' });
    call.finishSentence().letWaitExpire().finishSentence().letWaitExpire().finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'failed', reason: 'no_input' });
  });
});

describe('the page is paying', () => {
  it('the line stops asking, wipes the card so far, and waits', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(`${VISA}09`);
    const { state } = call;
    call.send(PAYING);
    expect(state.kind === 'collecting' && [state.keyed.length, state.context.card.number?.length]).toEqual([0, 0]);
    expect(call.lastLine).toEqual({ name: 'paying_elsewhere', by: 'page' });
    expect(call.waiting).toBe(WAIT_MS);
    expect(call.pressKeys(GOOD_CARD).charges).toHaveLength(0);
  });

  it.each([
    ['page', 22],
    ['other', 5],
  ] as const)(
    'by %s: the caller hears every eight seconds that we wait, and in the end that it is not confirmed',
    (by, times) => {
      const call = ConversationDriver.afterGreeting().send({ type: 'paying_elsewhere', by, chargeId });
      for (let time = 0; time < times; time += 1) {
        call.finishSentence().letWaitExpire();
        expect([call.lastLine, call.waiting]).toEqual([{ name: 'waiting_elsewhere', by }, WAIT_MS]);
      }
      expect(call.finishSentence().letWaitExpire().lastLine).toEqual({ name: 'unconfirmed', elsewhere: true });
      expect(call.finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId });
    },
  );

  it('** returns to the agent with the outcome pending', () => {
    const call = waiting().pressKeys('*4*');
    expect(call.state.kind).toBe('waiting');
    expect(call.pressKeys('*').lastLine).toEqual({ name: 'unconfirmed', elsewhere: true });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId });
  });

  it.each(['hung_up', 'media_lost'] as const)('%s leaves the outcome pending', (type) => {
    expect(waiting().send({ type }).endedWith).toEqual({ kind: 'pending', chargeId });
  });

  it('a line that shuts down says that the payment is not confirmed, never that nothing was charged', () => {
    expect(waiting().send({ type: 'refused', reason: 'unavailable' }).lastLine).toEqual({
      name: 'unconfirmed',
      elsewhere: true,
    });
  });

  it('the line waits for a second card after a decline that it has not said yet', () => {
    const second: FlowEvent = { ...PAYING, chargeId };
    const call = ConversationDriver.afterGreeting().send(PAYING).send(DECLINED).send(second);
    expect(call.waiting).toBe(WAIT_MS);
    expect(call.finishSentence().lastLine).toEqual({ name: 'paying_elsewhere', by: 'page' });
    expect(call.send(PAID).lastLine).toEqual({ name: 'paid_elsewhere' });
  });
});

describe('the page has paid', () => {
  it.each([
    ['before the answer', () => new ConversationDriver()],
    ['during the greeting', () => new ConversationDriver().send({ type: 'answered' })],
    ['while keying a card', () => ConversationDriver.afterGreeting().pressKeys(`${VISA}0928`)],
    ['while the line waits', waiting],
    ['while the line gives up', () => ConversationDriver.afterGreeting().pressKeys('**')],
  ])('%s: the line thanks the caller and returns them with the charge', (_, callOf) => {
    const call = callOf().send(PAID);
    expect(call.lastLine).toEqual({ name: 'paid_elsewhere' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'succeeded', chargeId });
  });

  it('during a waiting sentence: the line says so after it', () => {
    const call = ConversationDriver.afterGreeting().send(PAYING).send(PAID);
    expect([call.lastLine?.name, call.waiting]).toEqual(['paying_elsewhere', null]);
    expect(call.finishSentence().lastLine).toEqual({ name: 'paid_elsewhere' });
  });

  it('during the goodbye: another goodbye says so', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('**').finishSentence().send({ type: 'return_failed' });
    expect(call.send(PAID).lastLine).toEqual({ name: 'goodbye', outcome: 'succeeded' });
    expect(call.finishSentence().endedWith).toEqual({ kind: 'succeeded', chargeId });
  });

  it('after this call has paid: nothing more is said', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(GOOD_CARD).finishSentence();
    call.send({ type: 'paid', chargeId }).send(PAID);
    expect(call.lastLine).toEqual({ name: 'succeeded' });
  });
});

describe('the page was declined', () => {
  it('the line offers to continue by keypad with another card', () => {
    const call = waiting().send(DECLINED);
    expect(call.lastLine).toEqual({ name: 'declined_elsewhere', by: 'page' });
    expect(call.finishSentence().pressKeys(GOOD_CARD).charges).toHaveLength(1);
  });

  it('the caller has time to try again there, and the agent learns about the decline', () => {
    const call = waiting().send(DECLINED).finishSentence().letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'page_patience' });
    call.pressKeys('**').finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'canceled', chargeId, declineCode: 'insufficient_funds' });
  });

  it.each([
    ['insufficient_funds', 'declined'],
    ['processing_error', 'error'],
    ['try_again_later', 'error'],
  ] as const)('with %s, and the caller hangs up before hearing it: the reason is %s', (code, reason) => {
    const call = ConversationDriver.afterGreeting()
      .send(PAYING)
      .send({ ...DECLINED, code })
      .send({ type: 'hung_up' });
    expect(call.endedWith).toEqual({ kind: 'failed', reason, chargeId, declineCode: code });
  });

  it.each([
    ['insufficient_funds', 'declined'],
    ['processing_error', 'error'],
  ] as const)('with %s while a card keyed here waits for it: the reason is %s', (code, reason) => {
    const call = ConversationDriver.afterGreeting().pressKeys(GOOD_CARD).send(PAYING);
    call.send({ ...DECLINED, code }).send({ type: 'hung_up' });
    expect(call.endedWith).toEqual({ kind: 'failed', reason, chargeId, declineCode: code });
  });

  it('while keying a card: the line does not interrupt, and the agent learns about the decline', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('4242').send(DECLINED);
    expect(call.lines).toHaveLength(1);
    expect(call.pressKeys('**').finishSentence().returnedWith).toMatchObject({ declineCode: 'insufficient_funds' });
  });

  it('the call ends if the merchant accepts no keypad', () => {
    const call = new ConversationDriver({ takesKeypad: false }).send(PAYING).finishSentence().send(DECLINED);
    expect(call.lastLine).toEqual({ name: 'keypad_unavailable' });
    const declineCode = 'insufficient_funds';
    expect(call.finishSentence().returnedWith).toEqual({
      kind: 'failed',
      reason: 'keypad_unavailable',
      chargeId,
      declineCode,
    });
  });

  it("the line mentions an agent's attempt only if it had asked the caller to wait", () => {
    const ofAgent: FlowEvent = { ...DECLINED, by: 'other' };
    expect(ConversationDriver.afterGreeting().send(ofAgent).lines).toHaveLength(1);
    const call = ConversationDriver.afterGreeting()
      .send({ ...PAYING, by: 'other' })
      .finishSentence()
      .send(ofAgent);
    expect(call.lastLine).toEqual({ name: 'declined_elsewhere', by: 'other' });
  });
});

describe('a card keyed here that came second', () => {
  const second = () => ConversationDriver.afterGreeting().pressKeys(GOOD_CARD).send(PAYING);

  it('waits for the page and says so', () => {
    expect(second().finishSentence().lastLine).toEqual({ name: 'paying_elsewhere', by: 'page' });
  });

  it.each([
    [PAID, 'paid_elsewhere'],
    [DECLINED, 'declined_elsewhere'],
  ] as const)('is answered by %o if that comes before the sentence', (event, line) => {
    expect(second().send(event).finishSentence().lastLine).toMatchObject({ name: line });
  });

  it('ends as pending after a hang-up', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(GOOD_CARD).send({ type: 'hung_up' }).send(PAYING);
    expect(call.endedWith).toEqual({ kind: 'pending', chargeId });
  });
});

it('corrects "nothing was charged" if a payment starts during that sentence', () => {
  const call = ConversationDriver.afterGreeting().pressKeys('**').send(PAYING);
  expect(call.lastLine).toEqual({ name: 'unconfirmed', elsewhere: true });
  expect(call.finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId });
});

describe('a charge without an outcome', () => {
  const unknown = (textFollows: boolean): FlowEvent => ({ type: 'unconfirmed', chargeId, elsewhere: { textFollows } });
  const second = () => ConversationDriver.afterGreeting().pressKeys(GOOD_CARD).send(PAYING);

  it.each([
    ['before the answer', () => new ConversationDriver()],
    ['while keying a card', () => ConversationDriver.afterGreeting().pressKeys(`${VISA}0928`)],
    ['while the line waits for the page', waiting],
    ['after a decline that was not said yet', () => ConversationDriver.afterGreeting().send(PAYING).send(DECLINED)],
  ])('%s: the line asks for nothing more, and the agent gets the outcome pending', (_, callOf) => {
    const call = callOf().send(unknown(true));
    expect([call.lastLine, call.waiting]).toEqual([{ name: 'still_confirming', textFollows: true }, null]);
    call.pressKeys(GOOD_CARD);
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId });
    expect(call.charges).toEqual([]);
  });

  it('as the answer to a card keyed here: no text is promised, because the payment is not by this caller', () => {
    const call = ConversationDriver.afterGreeting().pressKeys(GOOD_CARD).send(unknown(false)).finishSentence();
    expect(call.lastLine).toEqual({ name: 'still_confirming', textFollows: false });
  });

  it('replaces "being paid" as the answer to a card that came second', () => {
    expect(second().send(unknown(true)).finishSentence().lastLine).toMatchObject({ name: 'still_confirming' });
  });

  it('lets the caller try again if a decline comes before the sentence', () => {
    const call = second().send(unknown(true)).send(DECLINED).finishSentence();
    expect(call.lastLine).toEqual({ name: 'declined_elsewhere', by: 'page' });
  });

  it('does not replace a success', () => {
    const call = ConversationDriver.afterGreeting().send(PAYING).send(PAID).send(unknown(true));
    expect(call.finishSentence().lastLine).toEqual({ name: 'paid_elsewhere' });
  });

  it('corrects "nothing was charged" during that sentence', () => {
    const call = ConversationDriver.afterGreeting().pressKeys('**').send(unknown(true));
    expect(call.lastLine).toEqual({ name: 'unconfirmed', elsewhere: true });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'pending', chargeId });
  });

  it('is followed by its outcome if that comes during the sentence', () => {
    const call = new ConversationDriver().send(unknown(true)).send(PAID);
    expect(call.lastLine).toEqual({ name: 'paid_elsewhere' });
    expect(call.finishSentence().returnedWith).toEqual({ kind: 'succeeded', chargeId });
  });
});
