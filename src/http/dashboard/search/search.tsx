/**
 * Search: an ID redirects to the object's page. A phone number, an order or the last four digits of a card show the
 * matching calls, charges and checkouts, and a part of a name the merchants.
 */

import type { MerchantResource } from '../../../contract/merchants.ts';
import { CallAmount, CallBadge } from '../calls/parts.tsx';
import { RefundLink } from '../charges/actions.tsx';
import { ChargeBadge } from '../charges/parts.tsx';
import { CheckoutBadge } from '../checkouts/checkouts.tsx';
import { callerPath, cardText } from '../page/links.tsx';
import type { AddPages, Taken } from '../page/page-routes.ts';
import { Block, EmptyState, Money, Time } from '../page/parts.tsx';
import { NameCell, Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { callersOf, type Found, findByText, isEmpty } from './find.ts';
import { MoreResults } from './more-results.tsx';
import { searchWords } from './words/index.ts';

export const searchPages: AddPages = ({ page }) => {
  page('/search', search);
};

/** The pages of objects, by the prefix of their IDs. */
const PAGES: Record<string, string> = {
  cs: '/checkouts/:id',
  ch: '/charges/:id',
  re: '/refunds/:id',
  evt: '/events/:id',
  call: '/calls/:id',
  req: '/requests/:id',
  mer: '/setup/merchants/:id',
};

const ID = /^([a-z]{2,5})_[a-z0-9_]{1,64}$/;
/** The page of the object with this ID, within the mode; null if the text is no ID. */
export function pageOfId({ knownPaths }: Visit, text: string): string | null {
  const path = PAGES[ID.exec(text)?.[1] ?? ''];
  return path !== undefined && knownPaths.has(path) ? path.replace(':id', text) : null;
}

/** The settings of the merchant, or its charges for those who may not see settings. Within the mode. */
export const merchantPage = ({ knownPaths }: Visit, { merchant_id: id }: MerchantResource): string =>
  knownPaths.has('/setup/merchants/:id') ? `/setup/merchants/${id}` : `/charges?merchant_id=${id}`;

async function search(visit: Visit): Promise<Taken> {
  const text = (visit.query.q ?? '').trim();
  const to = pageOfId(visit, text);
  if (to !== null) return { to };
  const found = text === '' ? null : await findByText(visit, text);
  const w = searchWords();
  return {
    title: w.title,
    section: null,
    body: (
      <>
        <div class="head">
          <h1>{text === '' ? w.title : w.results(text)}</h1>
        </div>
        {found === null || isEmpty(found) ? (
          <NothingFound visit={visit} hasQuery={text !== ''} />
        ) : (
          <Results visit={visit} found={found} />
        )}
      </>
    ),
  };
}

function NothingFound({ visit: { base }, hasQuery }: { visit: Visit; hasQuery: boolean }) {
  const w = searchWords();
  return (
    <EmptyState
      icon="search"
      title={hasQuery ? w.noResults : w.start}
      text={w.help}
      action={
        <a class="button" href={base}>
          {w.back}
        </a>
      }
    />
  );
}

function Callers({ visit, found }: { visit: Visit; found: Found }) {
  const callers = callersOf(found);
  if (callers.length === 0) return null;
  const w = searchWords();
  return (
    <Block title={callers.length === 1 ? w.caller : w.callers}>
      <ul class="actions">
        {callers.map((phone) => (
          <li key={phone}>
            <a class="button" href={visit.base + callerPath(phone)}>
              {phone}
            </a>
          </li>
        ))}
      </ul>
    </Block>
  );
}

function Results({ visit, found }: { visit: Visit; found: Found }) {
  const { base } = visit;
  const { merchants, calls, charges, checkouts } = found;
  const w = searchWords();
  const { heads } = w;
  return (
    <>
      <Callers visit={visit} found={found} />
      {merchants.length > 0 && (
        <Block title={w.merchants}>
          <Table
            label={w.merchants}
            rows={merchants}
            href={(merchant) => base + merchantPage(visit, merchant)}
            columns={[
              { head: heads.merchant, cell: ({ business_name }) => <NameCell name={business_name} /> },
              { head: heads.id, kind: 'detail', cell: ({ merchant_id }) => <span class="id">{merchant_id}</span> },
              { head: heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
          <MoreResults visit={visit} found={found} of="merchants" />
        </Block>
      )}
      {charges.length > 0 && (
        <Block title={w.charges}>
          <Table
            label={w.charges}
            rows={charges}
            href={({ charge_id }) => `${base}/charges/${charge_id}`}
            columns={[
              {
                head: heads.amount,
                cell: (charge) => <Money cents={charge.amount_cents} currency={charge.currency} />,
              },
              { head: heads.status, cell: (charge) => <ChargeBadge charge={charge} /> },
              { head: heads.merchant, kind: 'name', cell: ({ business_name }) => <NameCell name={business_name} /> },
              {
                head: heads.caller,
                kind: 'detail',
                cell: ({ caller_phone }) => caller_phone && <span>{caller_phone}</span>,
              },
              { head: heads.card, width: 'cut', cell: (charge) => <span class="number">{cardText(charge)}</span> },
              { head: heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
              { head: heads.refund, kind: 'action', cell: (charge) => <RefundLink visit={visit} charge={charge} /> },
            ]}
          />
          <MoreResults visit={visit} found={found} of="charges" />
        </Block>
      )}
      {calls.length > 0 && (
        <Block title={w.calls}>
          <Table
            label={w.calls}
            rows={calls}
            href={({ call_id }) => `${base}/calls/${call_id}`}
            columns={[
              { head: heads.caller, cell: ({ caller_phone }) => <span>{caller_phone ?? w.withheld}</span> },
              { head: heads.outcome, cell: (call) => <CallBadge call={call} /> },
              { head: heads.amount, kind: 'money', cell: (call) => <CallAmount call={call} /> },
              {
                head: heads.merchant,
                kind: 'name',
                cell: ({ business_name }) => business_name && <NameCell name={business_name} />,
              },
              { head: heads.started, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
          <MoreResults visit={visit} found={found} of="calls" />
        </Block>
      )}
      {checkouts.length > 0 && (
        <Block title={w.checkouts}>
          <Table
            label={w.checkouts}
            rows={checkouts}
            href={({ checkout_session_id }) => `${base}/checkouts/${checkout_session_id}`}
            columns={[
              {
                head: heads.amount,
                cell: ({ amount_cents, currency }) => <Money cents={amount_cents} currency={currency} />,
              },
              { head: heads.status, cell: (checkout) => <CheckoutBadge checkout={checkout} /> },
              { head: heads.merchant, cell: ({ business_name }) => <span>{business_name}</span> },
              { head: heads.created, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
            ]}
          />
          <MoreResults visit={visit} found={found} of="checkouts" />
        </Block>
      )}
    </>
  );
}
