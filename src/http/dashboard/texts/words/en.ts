/** English words of the list of texts. */
import { plural } from '../../words/formats.ts';
export const en = {
  title: 'Texts',
  lead: 'Text messages to callers and their delivery. Pay links and codes are never shown.',
  label: 'Texts, newest first',
  totals: 'Totals of these texts',
  counted: (texts: number) => plural(texts, { one: '# text', other: '# texts' }),
  filters: { checkout: 'Checkout', charge: 'Charge', delivery: 'Delivery', undelivered: 'Failed or undelivered' },
  heads: { text: 'Text', recipient: 'Recipient', status: 'Status', message: 'Message', created: 'Created' },
  empty: {
    title: 'No texts yet',
    text: 'Receipts, pay links and codes appear here. No texts are sent in test mode; the demo shows them on a separate page.',
  },
};

export type TextListWords = typeof en;
