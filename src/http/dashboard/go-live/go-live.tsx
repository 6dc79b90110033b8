/** `/setup/go-live`: the checklist of live mode. Each item is checked against the real state, with what to do. */
import type { AccountResource } from '../../../contract/accounts.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { Sql } from '../../../db/pool.ts';
import { waitsForStandby } from '../../../db/standby.ts';
import type { KeyList } from '../../api/routes/keys.ts';
import type { MerchantList, MerchantStatusResource, NotificationsResource } from '../../api/routes/merchant-shapes.ts';
import type { WebhookEndpointList } from '../../api/routes/webhook-endpoint-shapes.ts';
import { settingsPage, settingsView } from '../form/settings.tsx';
import { ChecklistItem } from '../page/checklist.tsx';
import { InEnglish } from '../page/english.tsx';
import type { AddPages, View } from '../page/page-routes.ts';
import { EmptyState, Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { hasDelivered } from '../start/facts.ts';
import { type Check, type GoLiveFacts, goLiveChecks, type MerchantFacts } from './checks.ts';
import { RecentPasses } from './recent-passes.ts';
import { goLiveWords } from './words/index.ts';

interface GoLiveDeps {
  /** To see whether it commits to a standby. */
  database: Sql;
  now: () => Date;
}

/** By merchant and its settings. */
type Statuses = RecentPasses<MerchantStatusResource>;

export function goLivePages({ database, now }: GoLiveDeps): AddPages {
  const statuses: Statuses = new RecentPasses(now, (status) => status.can_take_live_payments);
  return ({ page, mode }) => {
    page('/setup/go-live', async (visit) => {
      if (mode === 'test') return inLiveMode(visit);
      const facts = await readFacts(visit, database, statuses);
      return goLiveView(visit, facts, goLiveChecks(facts, now()));
    });
  };
}

const LIMIT = '100';
/** The status of each merchant asks its processor, once a minute if it is as it should be. */
const MAX_MERCHANTS = 10;

async function readFacts(visit: Visit, database: Sql, statuses: Statuses): Promise<GoLiveFacts> {
  const query = { limit: LIMIT };
  const [account, { keys }, { merchants }, { webhook_endpoints: endpoints }, { alert_targets: targets }, waits] =
    await Promise.all([
      visit.ask<AccountResource>({ path: '/v1/account' }),
      visit.ask<KeyList>({ path: '/v1/keys', query }),
      visit.ask<MerchantList>({ path: '/v1/merchants', query: { limit: String(MAX_MERCHANTS) } }),
      visit.ask<WebhookEndpointList>({ path: '/v1/webhook_endpoints', query }),
      visit.ask<{ alert_targets: unknown[] }>({ path: '/v1/alert_targets', query }),
      waitsForStandby(database),
    ]);
  return {
    isHttps: visit.origin.startsWith('https:'),
    waitsForStandby: waits,
    account,
    keys,
    merchants: await Promise.all(merchants.map((merchant) => readMerchantFacts(visit, merchant, statuses))),
    endpoints,
    hasDelivered: await hasDelivered(visit, endpoints),
    alertTargets: targets.length,
  };
}

async function readMerchantFacts(visit: Visit, merchant: MerchantResource, statuses: Statuses): Promise<MerchantFacts> {
  const path = `/v1/merchants/${merchant.merchant_id}`;
  const [status, notifications] = await Promise.all([
    statuses.ask(JSON.stringify(merchant), () => visit.ask<MerchantStatusResource>({ path: `${path}/status` })),
    visit.ask<NotificationsResource>({ path: `${path}/processor/notifications` }),
  ]);
  return { merchant, status, notifications };
}

/** Only the pages of live mode can read its data. */
function inLiveMode(visit: Visit): View {
  const { title, inLiveMode: w } = goLiveWords();
  return settingsPage(visit, {
    tab: 'go_live',
    title,
    children: (
      <EmptyState
        icon="flag"
        title={w.title}
        text={w.text}
        action={
          <a class="button first" href="/dashboard/live/setup/go-live">
            {w.action}
          </a>
        }
      />
    ),
  });
}

function goLiveView(visit: Visit, { merchants }: GoLiveFacts, checks: readonly Check[]): View {
  const w = goLiveWords();
  const done = checks.filter(({ isDone }) => isDone).length;
  return settingsView(visit, {
    tab: 'go_live',
    title: w.title,
    body: (
      <>
        <PageHead title={w.title} lead={w.lead}>
          <p class="progress">
            <span class="quiet small">{w.progress(done, checks.length)}</span>
            <progress max={checks.length} value={done} aria-label={w.progressLabel(done, checks.length)} />
          </p>
        </PageHead>
        {done === checks.length && <Notice tone="good" title={w.allDone} />}
        <ol class="checklist">
          {checks.map((check) => (
            <CheckItem key={check.id} visit={visit} check={check} />
          ))}
        </ol>
        {merchants.length === MAX_MERCHANTS && <p class="hint">{w.newestOnly(MAX_MERCHANTS)}</p>}
      </>
    ),
  });
}

function CheckItem({ visit, check: { title, isDone, todo, isApis, page, docs } }: { visit: Visit; check: Check }) {
  return (
    <ChecklistItem title={title} isDone={isDone}>
      {!isDone && (
        <>
          {todo.map((each) => (
            <p key={each}>{isApis ? <InEnglish text={each} /> : each}</p>
          ))}
          <p class="links">
            {page !== undefined && <a href={visit.base + page[0]}>{page[1]}</a>} <a href={docs[0]}>{docs[1]}</a>
          </p>
        </>
      )}
    </ChecklistItem>
  );
}
