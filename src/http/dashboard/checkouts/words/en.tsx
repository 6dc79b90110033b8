/** English words of the checkouts' pages, and of their activity and next steps, which calls show, too. */
import type { ComponentChildren, VNode } from 'preact';
import type { EmailResource } from '../../../../contract/emails.ts';
import type { ListedSessionResource } from '../../../../contract/listed-sessions.ts';
import type { TextState } from '../../../../domain/texts.ts';
import { numberText, plural } from '../../words/formats.ts';

const textStates: Readonly<Record<TextState, string>> = {
  waiting: 'Waiting',
  sending: 'Sending',
  sent: 'Sent',
  failed: 'Failed',
  unknown: 'Unknown',
  opted_out: 'Opted out',
  delivered: 'Delivered',
  undelivered: 'Undelivered',
  unconfirmed: 'Unconfirmed',
};

const emailTitles: Readonly<Record<EmailResource['kind'], string>> = {
  receipt: 'Receipt',
  not_charged: 'Not charged',
  late_receipt: 'Late receipt',
  debit_returned: 'Returned-debit notice',
  not_collected: 'Failed-capture notice',
};

const required: Readonly<Record<ListedSessionResource['payment_required'], string>> = {
  required: 'Required',
  optional: 'Optional',
  none: 'None',
};

export const en = {
  title: 'Checkouts',
  label: 'Checkouts, newest first',
  totals: 'Totals of these checkouts',
  counted: (all: number, complete: number, currency: string) =>
    plural(all, {
      one: `# checkout in ${currency}, ${numberText(complete)} complete`,
      other: `# checkouts in ${currency}, ${numberText(complete)} complete`,
    }),
  sums: { requested: 'Requested', completed: 'Complete' },
  kind: 'Checkout',
  titleOf: (id: string) => `Checkout ${id}`,
  status: 'Status',
  cardSaved: 'Card saved',
  heads: { amount: 'Amount', merchant: 'Merchant', order: 'Order', caller: 'Caller', created: 'Created' },
  empty: {
    title: 'No checkouts yet',
    text: 'Your voice agent creates a checkout with one request and reads the message in the response to the caller.',
    action: 'Quickstart',
  },
  metadata: 'Metadata',
  required,
  facts: {
    merchant: 'Merchant',
    processor: 'Processor',
    order: 'Order',
    caller: 'Caller',
    payment: 'Payment',
    onlySaved: 'None, a card is saved',
    charge: 'Charge',
    returnAddress: 'Return address',
    copyReturnAddress: 'Copy the return address',
    platformCallId: 'Platform call ID',
    screening: 'Screening',
    decisions: { allow: 'Allow', step_up: 'Step up' },
  },
  activity: {
    title: 'Activity',
    none: 'No activity yet.',
    kinds: {
      call: 'Call',
      charge: 'Charge',
      refund: 'Refund',
      event: 'Event',
      webhook: 'Webhook',
      text: 'Text',
      email: 'Email',
    },
    later: {
      saved: { badge: 'Card saved later', title: 'The card was saved after the call' },
      paid: { badge: 'Paid later', title: 'The charge succeeded after the call' },
      notCharged: { badge: 'Not charged', title: 'The charge failed after the call: nothing was charged' },
    },
    callStarted: 'The call started',
    callEnded: (outcome: string) => `The call ended: ${outcome.toLowerCase()}`,
    callEndedBecause: (outcome: string, reason: string) =>
      `The call ended: ${outcome.toLowerCase()}, ${reason.toLowerCase()}`,
    after: (duration: string) => `After ${duration}`,
    /** Of a charge. */
    sources: { phone: 'Entered on the call', saved_card: 'A saved card', page: 'On the pay page' },
    by: (source: string, processor: VNode): ComponentChildren => (
      <>
        {source}, by {processor}
      </>
    ),
    check: (card: string) => `Check of ${card}, without a charge`,
    charge: (amount: string, card: string) => `Charge of ${amount} to ${card}`,
    paid: (amount: string) => `${amount} paid`,
    paidLate: (amount: string) => `${amount} paid, confirmed late`,
    cardSaved: 'Card saved',
    cardSavedLate: 'Card saved, confirmed late',
    returned: 'Returned by the bank',
    returnedWith: (code: string) => `Returned by the bank (${code})`,
    captureFailed: 'Capture failed',
    seen: 'Marked as seen',
    failedBecause: (cause: string, code: string) => `${cause}: ${code.toLowerCase()}`,
    refunds: {
      succeeded: (amount: string) => `${amount} refunded`,
      pending: (amount: string) => `Refund of ${amount} pending`,
      failed: (amount: string) => `Refund of ${amount} failed`,
    },
    seeEvent: 'see the event for its deliveries',
    seeEndpoint: 'See the endpoint',
    notSentYet: (type: string, host: string) => `${type} not sent yet to ${host}`,
    delivered: (type: string, host: string, answer: string) => `${type} delivered to ${host}, ${answer}`,
    notAccepted: (type: string, host: string, answer: string) => `${type} not accepted by ${host}, ${answer}`,
    attempts: (count: number) => plural(count, { one: '# attempt', other: '# attempts' }),
    respondedIn: (ms: string) => `responded in ${ms} ms`,
    /** What becomes of a delivery. */
    retries: {
      waiting: 'will be retried',
      failed: 'no more retries',
      canceled: 'not retried: the endpoint is off',
    },
    noResponse: 'no response yet',
    texts: {
      pay_link: 'The pay link',
      page_code: 'A code for saved cards',
      receipt: 'The receipt',
      late_receipt: 'Late receipt: the payment succeeded after all',
      not_charged: 'Not-charged notice',
      debit_terms: 'The terms of the bank debit',
      debit_returned: 'Returned-debit notice',
      not_collected: 'Failed-capture notice',
    },
    textStates,
    emailTitles,
    sentTo: (title: string, recipient: string) => `${title} to ${recipient}`,
    erased: 'an erased caller',
  },
  next: {
    title: 'What to do next',
    textLink: 'Text pay link',
    openCharge: 'Open the charge',
    openCaller: 'Open the caller’s page',
    openCall: 'Open the call',
    openCheckout: 'Open the checkout',
    onTheLine: 'The caller is on the line. Wait for the outcome.',
    settle: 'Look up the payment at the processor, then settle it.',
    wait: 'Wait for the outcome. Do not ask the caller to pay again.',
    held: 'The amount is held. Capture or void it.',
    notChosen: 'Nothing. The caller did not choose a payment.',
    payable: 'Nothing was charged. The caller can still pay: by a link, or in another call.',
    notPayable: 'Nothing was charged, and this checkout can no longer be paid. Create another one.',
    saved: 'Nothing. The card is saved.',
    refunded: 'Nothing. The payment was refunded.',
    refundPending: 'Nothing. The refund is pending.',
    late: 'The payment succeeded late. Keep or refund it.',
    complete: 'Nothing. The payment is complete.',
    part: (remaining: string) => `A part was paid. Create another checkout for the remaining ${remaining}.`,
  },
};

export type CheckoutWords = typeof en;
