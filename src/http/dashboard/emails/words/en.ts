/** English words of the list of emails. */
export const en = {
  title: 'Emails',
  lead: 'Receipts by email to callers, and whether they were sent. Addresses are masked.',
  label: 'Emails, newest first',
  filters: { checkout: 'Checkout', charge: 'Charge', delivery: 'Delivery', undelivered: 'Not delivered' },
  heads: { email: 'Email', recipient: 'Recipient', status: 'Status', created: 'Created' },
  empty: { title: 'No emails yet', text: 'Receipts appear here if a checkout has the caller’s email address.' },
};

export type EmailListWords = typeof en;
