/** `/callers?number=…`: everything about one caller, found by the number as people say it, or by a checkout. */
import type { CallerProfileResource } from '../../../contract/callers.ts';
import type { ErrorObject } from '../../../contract/error-object.ts';
import type { CheckoutSessionResource } from '../../../contract/session-resource.ts';
import { chargeTotals } from '../charges/totals.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import { callerPath } from '../page/links.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { EmptyState, Notice, noticeOf, ObjectPage, PageHead } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { numberText } from '../words/formats.ts';
import { CallsBlock, CheckoutsBlock, PaymentsBlock, RefundLatest, RefundsBlock, TextsBlock } from './activity.tsx';
import { confirmErasure, EraseLink, eraseCaller } from './erase.tsx';
import { readCallerActivity } from './read.ts';
import { CallerName, CallerSide } from './side.tsx';
import { callerWords } from './words/index.ts';

export const callerPages: AddPages = ({ page, action, liveGuardedAction }) => {
  page('/callers', showCallers);
  page('/callers/erase', confirmErasure);
  liveGuardedAction('/callers/erase', eraseCaller);
  action('/callers/note', writeNote);
  action('/callers/link', textLink);
};

async function showCallers(visit: Visit): Promise<Taken> {
  const { checkout } = visit.query;
  if (checkout !== undefined) return { to: await callerOf(visit, checkout) };
  const notice = noticeOf(visit, callerWords().notices);
  return callersView(visit, visit.query.number ?? '', notice !== null && <Notice title={notice} />);
}

/** The path of the checkout's caller. Of the search for callers if the number is withheld or erased. */
async function callerOf(visit: Visit, checkout: string): Promise<string> {
  const path = `/v1/checkout_sessions/${encodeURIComponent(checkout)}`;
  const { caller_phone: phone } = await visit.ask<CheckoutSessionResource>({ path });
  return phone === null ? '/callers' : callerPath(phone);
}

type Top = View['body'];

async function callersView(visit: Visit, text: string, top: Top): Promise<View> {
  const number = text.trim();
  const answer =
    number === ''
      ? null
      : await visit.tryAsk<{ callers: CallerProfileResource[] }>({
          path: '/v1/callers',
          query: { caller_phone: number },
        });
  if (answer?.ok === false && answer.status >= 500) throw new DashboardFault(faultOfStatus(answer.status));
  const callers = answer?.ok ? answer.body.callers : [];
  const [first] = callers;
  if (callers.length === 1 && first !== undefined) return callerView(visit, first, top);
  return foundView(visit, number, callers, top);
}

/** None, or several to choose from. */
function foundView(visit: Visit, number: string, callers: readonly CallerProfileResource[], top: Top): View {
  const w = callerWords();
  return {
    title: w.title,
    section: 'calls',
    body: (
      <>
        {top}
        <PageHead title={callers.length === 0 ? w.title : w.endingIn(number)} />
        {callers.length === 0 ? (
          <EmptyState icon="phone" title={number === '' ? w.find.title : w.find.none} text={w.find.text} />
        ) : (
          <Table
            label={w.title}
            rows={callers}
            href={({ caller_phone }) => visit.base + callerPath(caller_phone)}
            columns={[
              { head: w.find.number, cell: ({ caller_phone }) => <span class="number">{caller_phone}</span> },
              { head: w.find.name, cell: (caller) => <CallerName caller={caller} /> },
              {
                head: w.find.savedCards,
                kind: 'number',
                cell: ({ cards }) => <span class="number">{numberText(cards.length)}</span>,
              },
            ]}
          />
        )}
      </>
    ),
  };
}

async function callerView(visit: Visit, caller: CallerProfileResource, top: Top): Promise<View> {
  const { caller_phone: phone } = caller;
  const w = callerWords();
  const [activity, totals] = await Promise.all([
    readCallerActivity(visit, phone),
    chargeTotals(visit, { caller_phone: phone }),
  ]);
  return {
    title: w.titleOf(phone),
    section: 'calls',
    body: (
      <ObjectPage
        kind={w.kind}
        id={caller.consumer_id ?? phone}
        heading={
          <>
            <span class="number">{phone}</span>{' '}
            <span class="quiet">
              <CallerName caller={caller} />
            </span>
          </>
        }
        notice={top}
        actions={
          <>
            <RefundLatest visit={visit} charges={activity.charges} />
            <EraseLink visit={visit} phone={phone} />
          </>
        }
        side={<CallerSide visit={visit} caller={caller} />}
      >
        <CheckoutsBlock visit={visit} phone={phone} checkouts={activity.checkouts} />
        <PaymentsBlock visit={visit} phone={phone} charges={activity.charges} totals={totals} />
        <RefundsBlock visit={visit} refunds={activity.refunds} />
        <CallsBlock visit={visit} phone={phone} calls={activity.calls} />
        <TextsBlock visit={visit} texts={activity.texts} />
      </ObjectPage>
    ),
  };
}

async function writeNote(visit: Visit, { number = '', note = '' }: FormFields): Promise<Taken> {
  const text = note.trim() === '' ? null : note.replaceAll('\r\n', '\n');
  const body = { caller_phone: number, note: text };
  const answer = await visit.tryAsk({ method: 'POST', path: '/v1/callers/note', body });
  return answer.ok ? { to: callerPath(number, 'note') } : refusedView(visit, number, answer);
}

async function textLink(visit: Visit, { number = '', checkout = '' }: FormFields): Promise<Taken> {
  const body = { checkout_session_id: checkout };
  const answer = await visit.tryAsk<{ sent: boolean }>({ method: 'POST', path: '/v1/send_link', body });
  if (!answer.ok) return refusedView(visit, number, answer);
  return { to: callerPath(number, answer.body.sent ? 'link' : 'no_link') };
}

/** Errors that the caller's page shows: an invalid note, a checkout that is paid, too many texts. */
const SHOWN_HERE: ReadonlySet<number> = new Set([400, 409, 410, 422, 429]);

async function refusedView(
  visit: Visit,
  number: string,
  { status, error }: { status: number; error: ErrorObject },
): Promise<Taken> {
  if (!SHOWN_HERE.has(status)) throw new DashboardFault(faultOfStatus(status), error.message);
  return { ...(await callersView(visit, number, <Notice tone="bad" title={error.message} />)), status: 422 };
}
