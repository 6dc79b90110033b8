/** `/tail`: the steps of all calls and all events, as they happen, of one merchant or all. It can be paused. */
import type { UserId } from '../../../domain/ids.ts';
import type { CallProgress } from '../../../notifications/progress/ports.ts';
import { ownScript } from '../assets.ts';
import { searchOf } from '../list/filters.tsx';
import { type MerchantPicker, MerchantPickerField, readMerchantPicker } from '../list/merchant-picker.tsx';
import { renderPart } from '../page/layout.tsx';
import { liveStreams } from '../page/live-streams.ts';
import type { AddPages, PageRoutes, View } from '../page/page-routes.ts';
import { PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { eventEntry, type ListedEvent, TailEntries } from './entries.tsx';
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
      let merchants: Promise<MerchantPicker> | undefined;
      let nameOf = (id: string) => id;
      const source = tailSource({ accountId: visit.user.accountId, mode: visit.mode }, merchantOf(visit), {
        progress,
        readLimit: visit.merchants,
        async readEvents() {
          merchants ??= readMerchantPicker(database, visit);
          nameOf = namesOf(await merchants);
          return readEvents(visit);
        },
        render: (entries) => renderPart(<TailEntries visit={visit} entries={entries} nameOf={nameOf} />),
      });
      return openStream(visit.user.userId, source);
    });
  };
}

const merchantOf = ({ query }: Visit) => query.merchant_id || null;

function namesOf({ merchants }: MerchantPicker): (id: string) => string {
  const names = new Map<string, string>(merchants.map(({ id, businessName }) => [id, businessName]));
  return (id) => names.get(id) ?? id;
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
          <TailEntries visit={visit} entries={entries} nameOf={namesOf(merchants)} />
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
