/** English words of "Try it". */
import type { ComponentChildren, VNode } from 'preact';
import type { CallStage } from '../../../../domain/call.ts';
import { plural } from '../../words/formats.ts';
import type { TestCallRefusal, TestCallStep } from '../ports.ts';
import { scripts } from './scripts/en.ts';

/** What the line is doing. */
const stages: Readonly<Record<CallStage, string>> = {
  greeting: 'The line greets the caller',
  card_number: 'The line asks for the card number',
  expiry: 'The line asks for the expiry date',
  security_code: 'The line asks for the security code',
  bank_account: 'The line asks for a bank account',
  postal_code: 'The line asks for the postal code',
  keep_card: 'The line asks whether to keep the card',
  confirmation: 'The line reads back the card and asks for a 1',
  paying: 'The card is being charged',
  by_link: 'The line has texted the link and is waiting',
  waiting: 'The line is waiting for the payment',
  leaving: 'The line says the outcome',
  returning: 'The caller returns to the agent',
  ended: 'The call has ended',
};

const refused: Readonly<Record<TestCallRefusal, string>> = {
  busy: 'Two test calls are already running. Wait for one to end, or hang it up.',
  unavailable:
    'The scripted caller could not be started. Try again in a moment. If it keeps failing, check the service’s log.',
};

/** Who acts in a step of the transcript. */
const who: Readonly<Record<TestCallStep['kind'], string>> = {
  said: 'Line',
  keyed: 'Caller',
  agent: 'Agent',
  page: 'Pay page',
  sip: 'SIP',
  silence: '',
  note: '',
};

export const en = {
  title: 'Try it',
  lead: 'A scripted caller dials a checkout and tries to pay. Watch the call, then hear what the caller heard.',
  notAvailable: 'Test calls are not available on this service.',
  onlyInTest: 'Test calls are only available in test mode.',
  ...scripts,
  form: {
    notPlaced: 'The call was not placed',
    script: 'What the caller does',
    merchant: 'Merchant',
    noProcessor: 'no processor',
    card: 'Card',
    defaultCard: 'Default for the script',
    cardHint: (link: (text: string) => VNode): ComponentChildren => (
      <>{link('Test cards')} of the merchant’s processor. Some scripts always use their own card.</>
    ),
    amount: 'Amount',
    place: 'Place the call',
    hint: 'A scripted caller dials, listens and presses keys like a person. You need no phone, and no real money moves.',
    at: (vendor: string) => `At ${vendor}`,
    cardsOf: (vendor: string) => `Test cards of ${vendor}`,
  },
  faults: {
    script: 'Choose what the caller does.',
    merchant: 'Choose a merchant.',
    sandboxCard: 'Choose a test card of the sandbox.',
    notAt: (vendor: string, limit: string) => `Not at ${vendor}: ${limit}`,
    vendorCard: (vendor: string) => `Choose a test card of ${vendor}, the merchant’s processor.`,
    amount: (example: string, minimum: string) => `Enter an amount such as ${example}. The minimum is ${minimum}.`,
    noTransfer: (merchant: string, policy: string, line: string) =>
      `${merchant} requires no payment for this amount (its policy is “${policy}”), so there is no call to transfer. The agent says: “${line}”`,
    refused,
  },
  limits: {
    noKeypad: 'It accepts no cards on the keypad: the line texts the pay link, which you open and pay yourself.',
    noHolds: 'It cannot hold an amount.',
    noSaving: 'The line cannot save a card there without a payment.',
    noDebits: 'It makes no bank debits.',
    noLostAnswer: 'Only the sandbox loses an answer on purpose.',
    noPostalCode: 'This merchant’s line does not ask for the postal code, which decides the outcome there.',
  },
  none: {
    live: {
      title: 'Test calls are only available in test mode',
      text: 'Test calls use test cards, which live mode rejects.',
      action: 'Try it in test mode',
    },
    noMerchant: {
      title: 'A test call needs a merchant',
      text: 'Create a merchant in test mode and connect it to the sandbox.',
      action: 'Settings',
    },
    unavailable: {
      title: 'Test calls are not available',
      text: (setting: VNode): ComponentChildren => (
        <>
          This service uses its own SIP server, which the scripted caller may not be able to reach. If it can, set{' '}
          {setting}. You can also dial any checkout’s transfer_to with your own phone.
        </>
      ),
    },
  },
  call: {
    titleOf: (script: string) => `Test call: ${script}`,
    again: {
      title: 'This form was already submitted',
      text: 'This is the call that it placed. To place another one, select “New call”.',
    },
    to: (merchant: VNode): ComponentChildren => <>Test call to {merchant}</>,
    connecting: 'Connecting',
    newCall: 'New call',
    transcript: 'Transcript',
    forIntegrator: 'For the integrator',
    platform: 'Your voice platform',
    anyPlatform: 'Any, by SIP',
    showCode: 'Show its code',
    platformHint: 'What to paste, and how the outcome comes back',
    copy: (title: string) => `Copy ${title}`,
    onTheLine: 'On the line',
    dials: 'The caller dials',
    stages,
    hangUp: 'Hang up',
    failed:
      'The scripted caller’s process ended before its call did. The service is still running, and its log has the exit code.',
    heard: 'What the caller heard',
    links: { call: 'The call, step by step', charge: 'The charge', checkout: 'The checkout' },
    events: 'Webhook events',
    bodyOf: (type: string) => `Body of ${type}`,
    event: 'The event',
    headers: 'Headers for the agent',
    badges: {
      interrupted: 'Interrupted',
      saved: 'Card saved',
      paid: 'Paid',
      held: 'Held',
      pending: 'Pending',
      declined: 'Declined',
      notSaved: 'Not saved',
      unpaid: 'Unpaid',
      agent: 'Back with the agent',
    },
  },
  steps: {
    label: 'Steps of the call',
    who,
    transfers: (message: VNode, address: VNode): ComponentChildren => (
      <>
        Says “{message}” and transfers the call to {address}
      </>
    ),
    quoted: (text: VNode): ComponentChildren => <>“{text}”</>,
    cutShort: '(cut short)',
    silence: (seconds: string) => `${seconds} s of silence`,
    presses: (keys: string) => `presses ${keys}`,
    entersCard: (lastFour: string) => `enters a card number ending in ${lastFour}`,
    entersDigits: (count: number, keys: string) =>
      plural(count, { one: `enters # digit ${keys}`, other: `enters # digits ${keys}` }).trim(),
  },
  snippets: {
    create: { title: '1. Create a checkout', about: 'Your agent’s tool does this when the order is ready to pay.' },
    transfer: {
      title: '2. Say the message and transfer the call',
      about:
        'Say agent_message word for word. Then transfer to transfer_to by SIP REFER, or dial it and bridge the calls.',
    },
    platformTransfer: (platform: string) => ({
      title: `2. Transfer the call with ${platform}`,
      about: `Say agent_message word for word. Then transfer to transfer_to. The page about ${platform} in the docs has the tool and the rest.`,
    }),
    back: {
      title: '3. Take the caller back',
      about: 'The call returns to return_to with the outcome in its headers. The webhook has the final outcome.',
    },
  },
};

export type TryWords = typeof en;
