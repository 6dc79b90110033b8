/** Search: an id leads to the page of what it names; a number, an order or last four digits to what the lists have of them. */
import type { ListedChargeResource } from '../../contract/charges.ts';
import type { ListedSessionResource } from '../../contract/listed-sessions.ts';
import type { CallResource } from '../../contract/calls.ts';
import type { AddPages, Taken } from '../page-routes.ts';
import { cardText } from '../views/links.tsx';
import { Badge, Block, EmptyState, Money, Time } from '../views/parts.tsx';
import { Table } from '../views/table.tsx';
import type { Visit } from '../visit.ts';
import { CallBadge } from './calls.tsx';

export const searchPages: AddPages = ({ page }) => {
  page('/search', search);
};

/** Where objects have their pages, by the prefix of their ids. */
const PAGES: Record<string, string> = {
  cs: '/checkouts/:id',
  ch: '/charges/:id',
  re: '/refunds/:id',
  evt: '/events/:id',
  call: '/calls/:id',
  req: '/requests/:id',
};

const ID = /^([a-z]{2,5})_[a-z0-9_]{1,64}$/;
const PHONE = /^\+?[\d\s().-]{7,20}$/;
const SHOWN = '10';

interface Found {
  calls: readonly CallResource[];
  charges: readonly ListedChargeResource[];
  checkouts: readonly ListedSessionResource[];
}

async function search(visit: Visit): Promise<Taken> {
  const text = (visit.query.q ?? '').trim();
  const path = PAGES[ID.exec(text)?.[1] ?? ''];
  if (path !== undefined && visit.knownPaths.has(path)) return { to: path.replace(':id', text) };
  const found = text === '' ? null : await findAll(visit, filtersFor(text));
  const isEmpty = found === null || Object.values(found).every((rows) => rows.length === 0);
  return {
    title: 'Search',
    section: null,
    body: (
      <>
        <div class="head">
          <h1>{text === '' ? 'Search' : `Found for “${text}”`}</h1>
        </div>
        {isEmpty ? <NothingFound visit={visit} isAsked={text !== ''} /> : <Results visit={visit} found={found} />}
      </>
    ),
  };
}

/** What a text can be: each way is asked for, and what is found put together. */
function filtersFor(text: string): Record<string, string>[] {
  const phone = text.replace(/[\s().-]/g, '');
  return [
    { order_id: text },
    { platform_call_id: text },
    ...(/^\d{4}$/.test(text) ? [{ last_four: text }] : []),
    ...(PHONE.test(text) ? [{ caller_phone: phone.startsWith('+') ? phone : `+${phone}` }] : []),
  ];
}

async function findAll(visit: Visit, filters: readonly Record<string, string>[]): Promise<Found> {
  const [calls, charges, checkouts] = await Promise.all([
    findIn<CallResource>(visit, '/v1/calls', 'calls', filters),
    findIn<ListedChargeResource>(visit, '/v1/charges', 'charges', filters),
    findIn<ListedSessionResource>(visit, '/v1/checkout_sessions', 'checkout_sessions', filters),
  ]);
  return { calls, charges, checkouts };
}

/** A text that a filter does not take (a number that is none) is nothing that could be found by it. */
async function findIn<T extends object>(
  visit: Visit,
  path: string,
  field: string,
  filters: readonly Record<string, string>[],
): Promise<T[]> {
  const answers = await Promise.all(
    filters.map((query) => visit.tryAsk<Record<string, T[]>>({ path, query: { ...query, limit: SHOWN } })),
  );
  const rows = answers.flatMap((answer) => (answer.ok ? (answer.body[field] ?? []) : []));
  return [...new Map(rows.map((row) => [Object.values(row)[0], row])).values()];
}

function NothingFound({ visit: { base }, isAsked }: { visit: Visit; isAsked: boolean }) {
  return (
    <EmptyState
      icon="search"
      title={isAsked ? 'Nothing was found' : 'What are you looking for?'}
      text="Any id of this mode leads to its page. A phone number (+15550101234), an order, the platform's id of a call and a card's last four digits are looked for in calls, charges and checkouts."
      action={
        <a class="button" href={base}>
          Back to the lists
        </a>
      }
    />
  );
}

function Results({ visit: { base }, found: { calls, charges, checkouts } }: { visit: Visit; found: Found }) {
  return (
    <>
      {calls.length > 0 && (
        <Block title="Calls">
          <Table
            label="Calls"
            rows={calls}
            href={({ call_id }) => `${base}/calls/${call_id}`}
            columns={[
              { head: 'Caller', cell: ({ caller_phone }) => <span>{caller_phone ?? 'Number withheld'}</span> },
              { head: 'Outcome', cell: (call) => <CallBadge call={call} /> },
              { head: 'Came in', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
        </Block>
      )}
      {charges.length > 0 && (
        <Block title="Charges">
          <Table
            label="Charges"
            rows={charges}
            href={({ charge_id }) => `${base}/charges/${charge_id}`}
            columns={[
              { head: 'Amount', cell: (charge) => <Money cents={charge.amount_cents} currency={charge.currency} /> },
              { head: 'Status', cell: ({ status }) => <Badge status={status} /> },
              { head: 'Card', cell: (charge) => <span class="number">{cardText(charge)}</span> },
              { head: 'Begun', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
        </Block>
      )}
      {checkouts.length > 0 && (
        <Block title="Checkouts">
          <Table
            label="Checkouts"
            rows={checkouts}
            href={({ checkout_session_id }) => `${base}/checkouts/${checkout_session_id}`}
            columns={[
              {
                head: 'Amount',
                cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
              },
              { head: 'Status', cell: ({ session_status }) => <Badge status={session_status} /> },
              { head: 'Merchant', cell: ({ business_name }) => <span>{business_name}</span> },
              { head: 'Opened', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
        </Block>
      )}
    </>
  );
}
