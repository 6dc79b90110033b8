/** English words of manual settlement. */
import type { VNode } from 'preact';
import type { EndingWords, SettledKind } from '../outcome-form.tsx';

const textTo = (phone: string | null, what: string) =>
  phone === null ? '' : ` ${what} is texted to ${phone} if texts can be sent there.`;

const lostRefund = {
  title: (amount: string, card: string) => `${amount} was not refunded to ${card}`,
  submit: (amount: string) => `Settle: ${amount} not refunded`,
  consequence: () =>
    'The refund fails, your webhook endpoints receive refund.failed, and the charge can be refunded again. If the money was refunded after all, it may be refunded twice.',
};

const endings: EndingWords = {
  charge: {
    succeeded: {
      option: 'The payment succeeded',
      title: (amount, card) => `${amount} was charged to ${card}`,
      submit: (amount) => `Settle: ${amount} charged`,
      consequence: (phone) =>
        `The checkout is paid, and your webhook endpoints receive checkout.succeeded and checkout.completed.${textTo(phone, 'The receipt')}`,
    },
    not_received: {
      option: 'The processor never received the payment',
      title: (amount, card) => `${amount} was never charged to ${card}`,
      submit: (amount) => `Settle: ${amount} not charged`,
      consequence: (phone) =>
        `The charge fails, and your webhook endpoints receive checkout.failed. If the card was charged after all, the caller may pay twice.${textTo(phone, 'A not-charged notice')}`,
    },
  },
  saving: {
    not_received: {
      option: 'The card was not saved, or its handle is not known here',
      title: (amount, card) => `${amount} was not saved: ${card}`,
      submit: (amount) => `Settle: ${amount} not saved`,
      consequence: (phone) =>
        `The charge fails, no card is saved, and your webhook endpoints receive checkout.failed.${textTo(phone, 'A notice that the card was not saved')}`,
    },
  },
  refund: {
    succeeded: {
      option: 'The refund succeeded',
      title: (amount, card) => `${amount} was refunded to ${card}`,
      submit: (amount) => `Settle: ${amount} refunded`,
      consequence: () => 'The refund succeeds, and your webhook endpoints receive refund.succeeded.',
    },
    refused: { ...lostRefund, option: 'The processor accepted the refund, but it failed' },
    not_received: { ...lostRefund, option: 'The processor never received the refund' },
  },
};

const needsSettling: Readonly<Record<SettledKind, { title: string; text: string }>> = {
  charge: {
    title: 'This charge needs manual settlement',
    text: 'The processor never reported the outcome, and Ringkey no longer checks. An owner or developer has to look it up in the processor’s dashboard and settle the charge here.',
  },
  refund: {
    title: 'This refund needs manual settlement',
    text: 'The processor never reported the outcome, and Ringkey no longer checks. An owner or developer has to look it up in the processor’s dashboard and settle the refund here.',
  },
};

export const en = {
  title: 'Settle manually',
  needsSettling,
  /** The amount of a charge that only saves a card. */
  cardOnly: 'Card',
  savesOnly: 'no amount, to save a card',
  leads: {
    charge: (amount: VNode, card: string, merchant: VNode) => (
      <>
        Charge of {amount}, {card}, {merchant}
      </>
    ),
    refund: (amount: VNode, card: string, merchant: VNode) => (
      <>
        Refund of {amount}, {card}, {merchant}
      </>
    ),
  },
  checkFirst: (processor: string) => `Check the ${processor} dashboard first`,
  checkText: {
    charge:
      'The processor never reported the outcome of this charge, and Ringkey no longer checks. Enter only what the processor shows. You can’t change it later.',
    refund:
      'The processor never reported the outcome of this refund, and Ringkey no longer checks. Enter only what the processor shows. You can’t change it later.',
  },
  next: 'Continue',
  outcome: 'Outcome at the processor',
  processorId: { charge: 'Processor’s payment ID', refund: 'Processor’s refund ID' },
  idHint: 'Required only if the payment or refund was made.',
  noId: 'Enter the processor’s ID. Every payment or refund that was made has one.',
  cardNumber: 'It looks like a card number, which Ringkey never stores.',
  badId: 'Enter the ID exactly as the processor shows it, without spaces.',
  endings,
  merchant: (name: VNode) => <>Merchant: {name}.</>,
  reference: (processor: string, id: VNode) => (
    <>
      {processor} reference: {id}.
    </>
  ),
  onlyRecords: 'Nothing is sent to the processor: this only records the outcome it shows. You can’t change it later.',
  sentBefore: 'This form was already submitted',
  nothingChanged: 'Nothing was changed',
  /** @param status its first letter is a capital */
  state: (amount: string, status: string) => `Current state: ${amount}, ${status.toLowerCase()}.`,
  stateWith: (amount: string, status: string, processor: string, id: string) =>
    `Current state: ${amount}, ${status.toLowerCase()}, ${processor} reference ${id}.`,
  back: { charge: 'Back to the charge', refund: 'Back to the refund' },
};

export type SettleWords = typeof en;
