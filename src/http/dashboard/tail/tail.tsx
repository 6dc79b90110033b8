/** `/tail`: the steps of all calls and all events, as they happen, of one merchant or all. It can be paused. */
import { limitToMerchants } from '../../../db/merchant-limit/limit.ts';
import { listMerchantNames } from '../../../db/merchants/merchant-records.ts';
import { type MerchantId, parseId, type UserId } from '../../../domain/ids.ts';
import type { CallProgress } from '../../../notifications/progress/ports.ts';
import { ownScript } from '../assets.ts';
import { searchOf } from '../list/filters.tsx';
import { type MerchantPicker, MerchantPickerField, readMerchantPicker } from '../list/merchant-picker.tsx';
import { renderPart } from '../page/layout.tsx';
import { liveStreams } from '../page/live-streams.ts';
import type { AddPages, PageRoutes, View } from '../page/page-routes.ts';
import { PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { eventEntry, type ListedEvent, TailEntries, type TailEntry } from './entries.tsx';
import { tailSource } from './source.ts';
import { tailWords } from './words/index.ts';

/** Read once per process. */
let loaded: ReturnType<typeof ownScript> | undefined;

/** The script of the page. @throws if it was not built */
export function tailScript() {
  loaded ??= ownScript('tail');
  return loaded;
}

export function tailPages({ progress }: { progress: Pick<CallProgress, 'subscribeCalls'> }): AddPages {
  const openStream = liveStreams<UserId>();
  return ({ page, stream, database }) => {
    page('/tail', (visit) => showTail(database, visit));
    stream('/tail/events', (visit) => {
      const source = tailSource({ accountId: visit.user.accountId, mode: visit.mode }, merchantOf(visit), {
        progress,
        readLimit: visit.merchants,
        readEvents: () => readEvents(visit),
        readNames: namesOfEntries(database, visit),
        render: (entries, names) => renderPart(<TailEntries visit={visit} entries={entries} names={names} />),
      });
      return openStream(visit.user.userId, source);
    });
  };
}

const merchantOf = ({ query }: Visit) => query.merchant_id || null;

/** Reads each merchant once. */
function namesOfEntries(database: PageRoutes['database'], visit: Visit) {
  const names = new Map<string, string>();
  return async (entries: readonly TailEntry[]): Promise<ReadonlyMap<string, string>> => {
    const ids = new Set(entries.map(({ merchantId }) => parseId('Merchant', merchantId ?? '')));
    const unknown = [...ids].filter((id) => id !== null && !names.has(id)) as MerchantId[];
    if (unknown.length === 0) return names;
    const sql = limitToMerchants(database, await visit.merchants());
    const scope = { accountId: visit.user.accountId, mode: visit.mode };
    for (const { id, businessName } of await listMerchantNames(sql, scope, unknown)) names.set(id, businessName);
    return names;
  };
}

async function readEvents(visit: Visit): Promise<{ events: readonly ListedEvent[]; hasMore: boolean }> {
  const asked = { path: '/v1/events', query: { limit: '25' } };
  const { events, has_more: hasMore } = await visit.ask<{ events: ListedEvent[]; has_more: boolean }>(asked);
  return { events, hasMore };
}

async function showTail(database: PageRoutes['database'], visit: Visit): Promise<View> {
  const [merchants, { events }] = await Promise.all([readMerchantPicker(database, visit), readEvents(visit)]);
  const merchantId = merchantOf(visit);
  const w = tailWords();
  const entries = events.map(eventEntry).filter((entry) => merchantId === null || entry.merchantId === merchantId);
  const names = await namesOfEntries(database, visit)(entries);
  const path = `${visit.base}/tail/events${searchOf({ merchant_id: merchantId ?? undefined })}`;
  return {
    title: w.title,
    section: 'now',
    body: (
      <div hx-ext="sse" sse-connect={path}>
        <PageHead title={w.title} lead={w.lead}>
          <div class="actions">
            <span class="badge" data-live-state>
              {w.connecting}
            </span>
            <button type="button" data-pause-tail aria-pressed="false" hidden>
              {w.pause}
            </button>
          </div>
        </PageHead>
        <MerchantFilter visit={visit} picker={merchants} />
        <ol id="tail" class="tail" aria-label={w.newestFirst} sse-swap="entries" hx-swap="none" data-tail>
          <TailEntries visit={visit} entries={entries} names={names} />
        </ol>
        <p class="quiet tail-empty">{w.empty}</p>
        <script type="module" src={tailScript().path} />
      </div>
    ),
  };
}

function MerchantFilter({ visit, picker }: { visit: Visit; picker: MerchantPicker }) {
  const w = tailWords();
  return (
    <form class="filters" action={visit.path} method="get" aria-label={w.merchant}>
      <MerchantPickerField picker={picker} chosen={merchantOf(visit)} label={w.merchant} all={w.all} />
      <div class="actions">
        <button type="submit">{w.filter}</button>
      </div>
    </form>
  );
}
