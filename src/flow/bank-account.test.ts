import { describe, expect, it } from 'vitest';
import { ConversationDriver } from '../../test/support/conversation-driver.ts';
import type { AskLine } from './lines.ts';

const ROUTING = '110000000';
const ACCOUNT = '000123456789#';

const offered = () => ConversationDriver.afterGreeting({ offersBankAccount: true });
/** After both numbers and the type, at the terms. */
const atTerms = () => offered().pressKeys(`2${ROUTING}${ACCOUNT}${ACCOUNT}1`);
const agreed = () => heard(atTerms()).pressKeys('1').finishSentence();
/** The terms, and the question for the yes. */
const heard = (call: ConversationDriver) => call.finishSentence().finishSentence();

describe('paying from a bank account', () => {
  it('is a choice in the greeting, if it is offered', () => {
    const call = new ConversationDriver({ offersBankAccount: true }).send({ type: 'answered' });
    expect(call.lastLine).toEqual({ name: 'greeting', method: true });
    const other = new ConversationDriver({}).send({ type: 'answered' });
    expect(other.lastLine).toEqual({ name: 'greeting' });
  });

  it('asks for a card after 1, and takes a card number without the choice', () => {
    expect(offered().pressKeys('1').lastLine).toMatchObject({ field: 'card_number' });
    expect(offered().pressKeys('4242424242424242').lastLine).toMatchObject({ field: 'expiry' });
  });

  it('says the type and the last four digits in the terms, and debits after a yes', () => {
    const call = atTerms();
    expect(call.lastLine).toMatchObject({ field: 'debit_terms', accountType: 'checking', lastFour: '6789' });
    heard(call).pressKeys('1');
    const [account] = call.accounts;
    expect(account?.type).toBe('checking');
    expect(account?.routingNumber.reveal(String)).toBe(ROUTING);
    expect(account?.accountNumber.reveal(String)).toBe('000123456789');
    expect(call.agreements).toEqual([expect.objectContaining({ field: 'debit_terms', error: null })]);
  });

  it('says no digits of a short number', () => {
    const line = offered().pressKeys(`2${ROUTING}1234#1234#2`).lastLine as AskLine;
    expect(line).toMatchObject({ field: 'debit_terms', accountType: 'savings' });
    expect(line.lastFour).toBeUndefined();
  });

  it('ignores a yes before the last word of the terms', () => {
    const call = atTerms().pressKeys('1');
    expect(call.accounts).toEqual([]);
    call.finishSentence();
    expect(call.lastLine).toEqual({ name: 'debit_agree' });
    expect(call.pressKeys('1').accounts).toHaveLength(1);
  });

  it('offers the card again after a no', () => {
    const call = heard(atTerms()).pressKeys('2');
    expect(call.lastLine).toMatchObject({ field: 'method' });
    expect(call.accounts).toEqual([]);
  });

  it('takes silence at the terms for no answer, and gives up the third time', () => {
    const call = heard(atTerms()).letWaitExpire();
    const again = { field: 'debit_terms', attempt: 2, error: 'nothing_keyed', asksConsent: true };
    expect(call.lastLine).toMatchObject(again);
    call.finishSentence().letWaitExpire().finishSentence().letWaitExpire();
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'no_input' });
  });

  it('asks again for a routing number with a wrong check digit, three times at most', () => {
    const call = offered().pressKeys('2110000001');
    expect(call.lastLine).toMatchObject({ field: 'routing_number', attempt: 2, error: 'looks_wrong' });
    call.pressKeys('110000001110000001');
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'invalid_input' });
  });

  it('asks for both numbers again if they differ, and gives up the third time', () => {
    const call = offered().pressKeys(`2${ROUTING}${ACCOUNT}000123456780#`);
    expect(call.lastLine).toMatchObject({ field: 'account_number', error: 'numbers_differ' });
    call.pressKeys(`${ACCOUNT}1234#${ACCOUNT}1234#`);
    expect(call.lastLine).toEqual({ name: 'gave_up', reason: 'invalid_input' });
    expect(call.accounts).toEqual([]);
  });

  it('starts a field again after a star, and returns to the agent after two', () => {
    const call = offered().pressKeys(`2${ROUTING}0001*`);
    expect(call.lastLine).toMatchObject({ field: 'account_number', error: 'started_over' });
    expect(call.pressKeys('*').lastLine).toEqual({ name: 'canceled' });
  });

  it('ends as pending with a reason of its own when the debit is accepted', () => {
    const call = agreed();
    call.send({ type: 'debited', chargeId: call.chargeId });
    expect(call.lastLine).toEqual({ name: 'debited' });
    call.finishSentence();
    expect(call.returnedWith).toEqual({ kind: 'pending', reason: 'bank_debit', chargeId: call.chargeId });
  });

  it('offers card and account again when the account is refused, and no fourth try', () => {
    const call = agreed();
    const refuse = () => call.send({ type: 'declined', chargeId: call.chargeId, code: 'generic_decline' });
    refuse();
    expect(call.lastLine).toEqual({ name: 'declined', code: 'generic_decline', next: 'method' });
    for (let tries = 2; tries <= 3; tries += 1) {
      heard(call.pressKeys(`2${ROUTING}${ACCOUNT}${ACCOUNT}1`))
        .pressKeys('1')
        .finishSentence();
      refuse();
    }
    expect(call.lastLine).toMatchObject({ name: 'gave_up', reason: 'declined', wasAccount: true });
  });

  it('wipes the digits when the caller hangs up', () => {
    const call = atTerms();
    const { state } = call;
    if (state.kind !== 'collecting') throw new Error(state.kind);
    const { routingNumber, accountNumber } = state.context.card;
    call.send({ type: 'hung_up' });
    expect([routingNumber?.length, accountNumber?.length]).toEqual([0, 0]);
    expect(call.endedWith).toEqual({ kind: 'canceled' });
  });
});
