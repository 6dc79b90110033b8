/** Texts to callers: the list. Each row links to the text's checkout. */
import type { TextTotalsResource } from '../../../contract/list-totals.ts';
import type { TextResource } from '../../../contract/texts.ts';
import { TEXT_STATES } from '../../../domain/texts.ts';
import { textTitle } from '../checkouts/activity.tsx';
import { checkoutWords } from '../checkouts/words/index.ts';
import { periodFilters } from '../list/filters.tsx';
import { listPage } from '../list/list-page.tsx';
import { countsOf } from '../list/totals.tsx';
import { listWords } from '../list/words/index.ts';
import { CheckoutCallerLink } from '../page/links.tsx';
import { Badge, Time } from '../page/parts.tsx';
import { textWords } from './words/index.ts';

const CSV: readonly (keyof TextResource)[] = [
  'text_id',
  'created_at',
  'kind',
  'recipient',
  'status',
  'delivery',
  'segments',
  'attempts',
  'carrier',
  'error_code',
  'checkout_session_id',
  'charge_id',
  'delivery_code',
];

type TextTotals = NonNullable<TextTotalsResource['totals']>;

function StateBadge({ text }: { text: TextResource }) {
  const state = text.delivery ?? text.status;
  const code = text.delivery_code ?? text.error_code;
  return (
    <span>
      <Badge status={state} name={checkoutWords().activity.textStates[state]} />
      {code !== null && <span class="id quiet"> {code}</span>}
    </span>
  );
}

export const textPages = listPage<TextResource>(() => {
  const w = textWords();
  const states = checkoutWords().activity.textStates;
  return {
    at: { section: 'texts' },
    title: w.title,
    lead: w.lead,
    label: w.label,
    source: { path: '/v1/texts', field: 'texts', idOf: ({ text_id }) => text_id },
    filters: [
      ...periodFilters(),
      {
        kind: 'choice',
        name: 'delivery_status',
        label: w.heads.status,
        choices: TEXT_STATES.map((state) => [state, states[state]]),
      },
      { kind: 'choice', name: 'undelivered', label: w.filters.delivery, choices: [['true', w.filters.undelivered]] },
      { kind: 'text', name: 'caller_phone', label: listWords().caller, hint: listWords().callerHint },
      { kind: 'text', name: 'checkout_session_id', label: w.filters.checkout, hint: 'cs_…' },
      { kind: 'text', name: 'charge', label: w.filters.charge, hint: 'ch_…' },
    ],
    csv: CSV,
    summary: countsOf<TextTotals>({
      path: '/v1/texts/totals',
      label: w.totals,
      line: ({ texts, ...counts }) => ({
        what: w.counted(texts),
        parts: TEXT_STATES.map((state) => [states[state], counts[state]] as const),
      }),
    }),
    href: ({ checkout_session_id }) => `/checkouts/${checkout_session_id}`,
    columns: (visit) => [
      { head: w.heads.text, cell: (text) => <span>{textTitle(text)}</span> },
      { head: w.heads.status, width: 'state', cell: (text) => <StateBadge text={text} /> },
      {
        head: w.heads.recipient,
        width: 'short',
        cell: ({ checkout_session_id, recipient }) => (
          <CheckoutCallerLink visit={visit} checkout={checkout_session_id} text={recipient} />
        ),
      },
      {
        head: w.heads.message,
        kind: 'detail',
        cell: ({ body }) => (body === null ? null : <bdi class="quiet clip">{body}</bdi>),
      },
      { head: w.heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
    ],
    empty: () => ({ icon: 'message', title: w.empty.title, text: w.empty.text }),
  };
});
