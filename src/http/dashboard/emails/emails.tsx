/** Receipts by email: the list. Each row links to the charge that the email is about. */
import type { EmailResource } from '../../../contract/emails.ts';
import { EMAIL_STATUSES } from '../../../domain/emails.ts';
import { checkoutWords } from '../checkouts/words/index.ts';
import { periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { Badge, Time } from '../page/parts.tsx';
import { emailWords } from './words/index.ts';

const CSV: readonly (keyof EmailResource)[] = [
  'email_id',
  'created_at',
  'kind',
  'recipient',
  'status',
  'attempts',
  'error_code',
  'settled_at',
  'checkout_session_id',
  'charge_id',
];

function StatusBadge({ email: { status, error_code: code } }: { email: EmailResource }) {
  return (
    <span>
      <Badge status={status} name={checkoutWords().activity.textStates[status]} />
      {code !== null && <span class="id quiet"> {code}</span>}
    </span>
  );
}

export const emailPages = listPage<EmailResource>(() => {
  const w = emailWords();
  const { textStates: states, emailTitles } = checkoutWords().activity;
  return {
    at: { section: 'emails' },
    title: w.title,
    lead: w.lead,
    label: w.label,
    source: { path: '/v1/emails', field: 'emails', idOf: ({ email_id }) => email_id },
    filters: [
      ...periodFilters(),
      {
        kind: 'choice',
        name: 'status',
        label: w.heads.status,
        choices: EMAIL_STATUSES.map((status) => [status, states[status]]),
      },
      { kind: 'choice', name: 'undelivered', label: w.filters.delivery, choices: [['true', w.filters.undelivered]] },
      { kind: 'text', name: 'checkout_session_id', label: w.filters.checkout, hint: 'cs_…' },
      { kind: 'text', name: 'charge', label: w.filters.charge, hint: 'ch_…' },
    ],
    csv: CSV,
    href: ({ charge_id }) => `/charges/${charge_id}`,
    columns: () => [
      { head: w.heads.email, cell: ({ kind }) => <span>{emailTitles[kind]}</span> },
      { head: w.heads.status, width: 'state', cell: (email) => <StatusBadge email={email} /> },
      { head: w.heads.recipient, kind: 'detail', cell: ({ recipient }) => recipient && <bdi>{recipient}</bdi> },
      { head: w.heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
    ],
    empty: () => ({ icon: 'mail', title: w.empty.title, text: w.empty.text }),
  };
});
