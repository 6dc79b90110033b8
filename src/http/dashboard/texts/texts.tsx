/** Texts to callers: the list. Each row links to the text's checkout. */
import type { TextResource } from '../../../contract/texts.ts';
import { textTitle } from '../checkouts/story.tsx';
import { type Filter, SINCE } from '../list/filters.tsx';
import { ListPage } from '../list/list-page.tsx';
import { downloadList, type ListSource, readList } from '../list/list-reading.ts';
import type { AddPages, View } from '../page/page-routes.ts';
import { Badge, EmptyState, Time } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';

export const textPages: AddPages = ({ page, download }) => {
  page('/texts', showTexts);
  download('/texts.csv', (visit, reply) => downloadList(visit, reply, TEXTS, { filters: FILTERS, columns: CSV }));
};

const TEXTS: ListSource<TextResource> = { path: '/v1/texts', field: 'texts', idOf: ({ text_id }) => text_id };

const FILTERS: readonly Filter[] = [
  SINCE,
  { kind: 'text', name: 'checkout_session_id', label: 'Checkout', hint: 'cs_…' },
  { kind: 'text', name: 'charge', label: 'Charge', hint: 'ch_…' },
];

const CSV: readonly (keyof TextResource)[] = [
  ...(['text_id', 'created_at', 'kind', 'recipient', 'status', 'delivery', 'segments', 'attempts'] as const),
  ...(['carrier', 'error_code', 'checkout_session_id', 'charge_id'] as const),
];

async function showTexts(visit: Visit): Promise<View> {
  const reading = await readList(visit, TEXTS, FILTERS);
  return {
    title: 'Texts',
    section: 'texts',
    body: (
      <ListPage
        visit={visit}
        title="Texts"
        lead="Text messages to callers and their delivery. Pay links and codes are never shown."
        label="Texts, newest first"
        filters={FILTERS}
        reading={reading}
        source={TEXTS}
        href={({ checkout_session_id }) => `${visit.base}/checkouts/${checkout_session_id}`}
        hasCsv
        columns={[
          { head: 'Text', cell: (text) => <span>{textTitle(text)}</span> },
          { head: 'Recipient', cell: ({ recipient }) => <span class="number">{recipient}</span> },
          { head: 'Status', cell: ({ status, delivery }) => <Badge status={delivery ?? status} /> },
          { head: 'Message', cell: ({ body }) => (body === null ? null : <span class="quiet clip">{body}</span>) },
          { head: 'Created', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <EmptyState
            icon="message"
            title="No texts yet"
            text="Receipts, pay links and codes appear here. No texts are sent in test mode; the demo shows them on a separate page."
          />
        }
      />
    ),
  };
}
