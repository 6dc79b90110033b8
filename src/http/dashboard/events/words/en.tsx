/** English words of the events' pages. */
import type { VNode } from 'preact';
import { plural } from '../../words/formats.ts';

export const en = {
  title: 'Events',
  lead: 'Events are sent to your webhook endpoints.',
  label: 'Events, newest first',
  kind: 'Event',
  titleOf: (type: string) => `Event ${type}`,
  totals: 'Totals of these events',
  counted: (events: number) => plural(events, { one: '# event', other: '# events' }),
  filters: { type: 'Type', delivery: 'Delivery', endpoint: 'Endpoint', checkout: 'Checkout' },
  heads: { type: 'Type', object: 'Object', sequence: 'Sequence', created: 'Created' },
  empty: {
    title: 'No events yet',
    text: 'Each payment, failure, expiry and refund creates an event, which is sent to your webhook endpoints.',
    action: 'Events and webhooks',
  },
  resend: 'Resend',
  resent: {
    title: 'The event is being resent',
    text: 'It is sent to all endpoints that are now subscribed to its type, with the same ID and body.',
    textToOne: 'It is sent to this endpoint only, with the same ID and body.',
  },
  data: 'Event data',
  dataLabel: 'The event',
  broken: {
    title: 'This event cannot be shown or delivered',
    text: 'An internal error prevents it. The event is delivered once the error is fixed.',
  },
  facts: { created: 'Created', sequence: 'Sequence', outcome: 'Outcome', checkout: 'Checkout', refund: 'Refund' },
  deliveries: {
    title: 'Deliveries',
    resendTo: (endpoint: string) => `Resend to ${endpoint}`,
    none: 'No deliveries: no endpoint is subscribed to this event.',
    label: 'Deliveries of this event',
    heads: {
      endpoint: 'Endpoint',
      status: 'Status',
      response: 'Response',
      attempts: 'Attempts',
      lastAttempt: 'Last attempt',
    },
    /** Of an event that no attempt was made for. */
    failing: (time: VNode) => <>The endpoint is failing; next attempt at {time}</>,
    notYet: 'Not yet',
  },
  attempts: {
    title: 'Attempts',
    label: 'Attempts to deliver this event, newest first',
    none: 'No attempts in the last 30 days.',
    kind: (attempt: number) => `Attempt ${attempt}`,
    /** @param status a badge @param reasons such as ", timeout, status 500", or empty */
    what: (host: string, status: VNode, reasons: string, ms: VNode) => (
      <>
        to {host}: {status}
        {reasons} after {ms}
      </>
    ),
    statusCode: (code: number) => `status ${code}`,
    details: 'Response and signature',
    noResponse: 'No response.',
    withoutBody: 'The response had no body.',
    body: 'Response body, up to 1,024 bytes:',
    headers: 'Signed headers:',
  },
};

export type EventWords = typeof en;
