/** English words of the calls' pages. */
import type { ComponentChildren, VNode } from 'preact';
import type { CallStage } from '../../../../domain/call.ts';
import { plural } from '../../words/formats.ts';
import type { Activity } from '../time-spent.ts';
import { steps } from './steps/en.ts';

/** What the line is at. */
const stages: Readonly<Record<CallStage, string>> = {
  greeting: 'Greeting',
  card_number: 'Card number',
  expiry: 'Expiry',
  security_code: 'Security code',
  postal_code: 'Postal code',
  bank_account: 'Bank account',
  keep_card: 'Keep card',
  confirmation: 'Confirmation',
  paying: 'Paying',
  by_link: 'By link',
  waiting: 'Waiting',
  leaving: 'Leaving',
  returning: 'Returning',
  ended: 'Ended',
};

const activities: Readonly<Record<Activity, string>> = {
  answering: 'Answering the call',
  speaking: 'The line speaks',
  keying: 'The caller enters keys',
  waiting: 'Waiting for the caller',
  talk: 'Questions and answers',
  processor: 'Waiting for the processor',
  returning: 'Returning to the agent',
  agent: 'With the agent',
};

const ORDINALS = ['first', 'second', 'third', 'fourth', 'fifth'];

export const en = {
  title: 'Calls',
  label: 'Calls, newest first',
  totals: 'Totals of these calls',
  counted: (calls: number) => plural(calls, { one: '# call', other: '# calls' }),
  live: 'Live now',
  kind: 'Call',
  titleOf: (caller: string) => `Call: ${caller}`,
  outcome: 'Outcome',
  /** The filter by a step of the funnel. */
  reached: 'Reached',
  heads: {
    caller: 'Caller',
    amount: 'Amount',
    merchant: 'Merchant',
    reason: 'Reason',
    order: 'Order',
    duration: 'Duration',
    started: 'Started',
    history: 'History',
  },
  empty: {
    title: 'No calls yet',
    test: 'Create a checkout and transfer a call to its address, or run a scripted caller: npm run call.',
    live: 'Calls appear here once your voice agent transfers the first one.',
    action: 'Quickstart',
  },
  noPaymentChosen: 'No payment chosen',
  numberWithheld: 'Number withheld',
  onTheLine: 'On the line',
  stages,
  cardSaved: 'Card saved',
  ended: 'Ended',
  lead: {
    to: (caller: ComponentChildren, merchant: VNode): ComponentChildren => (
      <>
        {caller} to {merchant}
      </>
    ),
    order: (order: VNode): ComponentChildren => <>order {order}</>,
  },
  outcomeThen: (outcome: string) => `When the call ended, its outcome was “${outcome}”. The charge was settled later.`,
  activity: 'Activity',
  allByTime: 'All steps, charges, events and texts by time',
  technical: 'Technical details',
  technicalAbout: 'IDs, SIP messages and recorded steps',
  intoTheCall: (seconds: string) => `${seconds} s into the call`,
  facts: {
    checkout: 'Checkout',
    charge: 'Charge',
    merchant: 'Merchant',
    reason: 'Reason',
    endRequested: 'End requested',
    return: 'Return to the agent',
    bridge: 'Bridge',
    sipCallId: 'SIP Call-ID',
    agentSipCallId: 'SIP Call-ID to the agent',
    copyAgentSipCallId: 'Copy the SIP Call-ID to the agent',
    platformCallId: 'Platform call ID',
    keySignaling: 'Key signaling',
    codec: 'Codec',
    packets: 'Packets from the caller',
    receivedLost: (received: string, lost: string) => `${received}, ${lost} lost`,
    jitter: 'Jitter',
  },
  table: { label: 'Steps as recorded', step: 'Step', second: 'Second', time: 'Time' },
  spent: {
    title: 'Where the time went',
    activities,
    total: (seconds: string) => `${seconds} in total`,
  },
  heard: {
    title: 'What the caller heard',
    sentences: (count: number) => plural(count, { one: '# sentence of the line', other: '# sentences of the line' }),
    note: 'Digits of cards and phone numbers are left out. A caller who presses a key does not hear the rest of a sentence.',
  },
  end: {
    title: 'End call',
    /** In a row of a list of calls. */
    short: 'End call',
    withheld: 'a withheld number',
    caller: (caller: VNode): ComponentChildren => <>Caller: {caller}</>,
    callerOfOrder: (caller: VNode, order: VNode): ComponentChildren => (
      <>
        Caller: {caller}, order {order}
      </>
    ),
    noticeTitle: 'The caller hears that the call has to end',
    notice:
      'The call then returns to the agent. If there is no agent, it ends. If a card is being charged or the caller is paying on the pay page, the call ends once the outcome is known, which can take a few minutes. An unpaid checkout can still be paid afterwards.',
    ending: 'Ending',
    endingTitle: 'The call is ending',
    endingNotice:
      'The caller hears that the call has to end. If a card is being charged, the call ends once the caller has heard the outcome.',
    endOf: (caller: string) => `End call of ${caller}`,
  },
  steps,
  /** Chapters of a call as sentences. */
  story: {
    title: 'What happened',
    none: 'No step is recorded yet.',
    /** Answers are in `in`, and may have had faults before. @param nth from 1 */
    answered: (done: string, took: string | null) => (took === null ? done : `${done} in ${took}`),
    onTry: (answered: string, nth: number, why: string) =>
      `${answered}, on the ${ORDINALS[nth - 1] ?? 'last'} try (before: ${why})`,
    undone: (undone: string, why: string) => `${undone}: ${why}`,
    faults: (faults: readonly string[]) => faults.join(', then '),
    stoppedMidway: 'stopped in the middle',
    onlyDigits: (digits: number) => plural(digits, { one: 'only # digit', other: 'only # digits' }),
    questions: {
      merchant: ['Chose the merchant', 'Did not choose a merchant'],
      method: ['Chose how to pay', 'Did not choose how to pay'],
      saved_card: ['Chose a saved card', 'Did not choose a card'],
      card_number: ['Entered the card number', 'Did not enter a card number'],
      expiry: ['Entered the expiry date', 'Did not enter the expiry date'],
      security_code: ['Entered the security code', 'Did not enter the security code'],
      postal_code: ['Entered the postal code', 'Did not enter the postal code'],
      part: ['Chose the full or a partial amount', 'Did not choose the full or a partial amount'],
      part_amount: ['Entered the partial amount', 'Did not enter the partial amount'],
      tip: ['Answered the question about a tip', 'Did not answer the question about a tip'],
      routing_number: ['Entered the routing number', 'Did not enter the routing number'],
      account_number: ['Entered the account number', 'Did not enter the account number'],
      account_number_again: ['Entered the account number again', 'Did not enter the account number again'],
      account_type: ['Chose the account type', 'Did not choose the account type'],
      debit_terms: ['Answered the question about the bank debit', 'Did not authorize the bank debit'],
      keep_card: ['Answered the question about saving the card', 'Did not say whether to save the card'],
      confirmation: ['Confirmed or changed the payment', 'Did not confirm the payment'],
    } satisfies Readonly<Record<string, readonly [done: string, undone: string]>>,
    /** A question of an earlier version. */
    otherQuestion: (subject: string): readonly [done: string, undone: string] => [
      `Answered: ${subject}`,
      'Did not answer',
    ],
    cameIn: 'The call came in',
    answeredIn: (took: string) => `The call was answered in ${took}`,
    waiting: 'The line is waiting for an answer',
    sent: 'The card was sent to the processor',
    chargedIn: (took: string) => `The charge succeeded in ${took}`,
    after: (what: string, took: string) => `${what}, after ${took}`,
    gotLink: (stayed: string) => `Got the pay link by text, and stayed ${stayed}`,
    openedLink: (stayed: string) => `Got the pay link by text, opened it, and stayed ${stayed}`,
    paidOnPage: (stayed: string) => `Paid on the pay page, after ${stayed} on the line`,
    waitedElsewhere: (stayed: string) => `Waited for another payment of this checkout, ${stayed} on the line`,
    reachedEnd: 'The call reached its end',
    returnedByRefer: 'Returned to the agent by REFER',
    returnedByBridge: 'Returned to the agent by a bridge',
    returnedByReferIn: (took: string) => `Returned to the agent by REFER, in ${took}`,
    returnedByBridgeIn: (took: string) => `Returned to the agent by a bridge, in ${took}`,
    talked: (duration: string) => `Talked to the agent for ${duration}`,
  },
};

export type CallWords = typeof en;
