/** `/overview`: payments compared with the previous period, the funnel of calls, and declines. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { StatisticsFigures, StatisticsResource } from '../../../contract/statistics.ts';
import { AttentionBlock, readOpenAttention } from '../attention/block.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { AddPages, View } from '../page/page-routes.ts';
import { EmptyState, Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { Figures } from './figures.tsx';
import { Declines, Funnel, Merchants, PaymentsByDay } from './parts.tsx';
import { PlotScripts } from './plot.tsx';

export const overviewPages: AddPages = ({ page }) => page('/overview', showOverview);

const DAYS = ['7', '30', '90'] as const;
const DAY_MS = 86_400_000;

async function showOverview(visit: Visit): Promise<View> {
  const days = DAYS.find((each) => each === visit.query.days) ?? '7';
  const merchantId = visit.query.merchant_id || undefined;
  const { merchants } = await visit.ask<{ merchants: MerchantResource[] }>({
    path: '/v1/merchants',
    query: { limit: '100' },
  });
  const attention = await readOpenAttention(visit);
  const to = new Date();
  const from = new Date(to.getTime() - Number(days) * DAY_MS);
  const answer = await visit.tryAsk<StatisticsResource>({
    path: '/v1/statistics',
    query: { from: from.toISOString(), to: to.toISOString(), merchant_id: merchantId },
  });
  if (!answer.ok && answer.status >= 500) throw new DashboardFault(faultOfStatus(answer.status), answer.error.message);
  const nameOf = (id: string) => merchants.find(({ merchant_id }) => merchant_id === id)?.business_name ?? id;
  return {
    title: 'Overview',
    section: 'overview',
    body: (
      <>
        <PageHead
          title="Overview"
          lead={`The last ${days} days compared with the previous ${days} days. Days start at midnight UTC.`}
        />
        <AttentionBlock visit={visit} attention={attention} />
        <Period visit={visit} days={days} merchants={merchants} merchantId={merchantId} />
        {answer.ok ? (
          <Content visit={visit} statistics={answer.body} days={days} nameOf={nameOf} />
        ) : (
          <Notice tone="bad" title={answer.error.message} />
        )}
      </>
    ),
  };
}

interface PeriodProps {
  visit: Visit;
  days: string;
  merchants: readonly MerchantResource[];
  merchantId: string | undefined;
}

function Period({ visit, days, merchants, merchantId }: PeriodProps) {
  return (
    <form class="filters" action={visit.path} method="get" aria-label="Period and merchant">
      <div class="field">
        <label for="days">Period</label>
        <select id="days" name="days">
          {DAYS.map((each) => (
            <option key={each} value={each} selected={each === days}>
              Last {each} days
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="merchant">Merchant</label>
        <select id="merchant" name="merchant_id">
          <option value="">All</option>
          {merchants.map(({ merchant_id, business_name }) => (
            <option key={merchant_id} value={merchant_id} selected={merchant_id === merchantId}>
              {business_name}
            </option>
          ))}
        </select>
      </div>
      <div class="actions">
        <button type="submit">Apply</button>
      </div>
    </form>
  );
}

const isEmpty = ({ charges_succeeded, charges_failed, charges_pending, funnel }: StatisticsFigures) =>
  charges_succeeded + charges_failed + charges_pending === 0 && funnel.every(({ reached }) => reached === 0);

interface ContentProps {
  visit: Visit;
  statistics: StatisticsResource;
  days: string;
  nameOf: (merchantId: string) => string;
}

function Content({ visit, statistics, days, nameOf }: ContentProps) {
  const { period, period_before: before } = statistics;
  if (isEmpty(period) && isEmpty(before)) {
    return (
      <EmptyState
        icon="overview"
        title="No data yet"
        text="Payments, success rate and call steps appear here once there are calls in this period."
        action={
          visit.knownPaths.has('/start') && (
            <a class="button" href={`${visit.base}/start`}>
              Getting started
            </a>
          )
        }
      />
    );
  }
  return (
    <div class="overview">
      <Figures period={period} before={before} days={days} />
      <PaymentsByDay days={statistics.days} />
      <Funnel steps={period.funnel} />
      <Declines declines={period.declines} />
      <Merchants visit={visit} merchants={statistics.merchants} nameOf={nameOf} />
      <PlotScripts />
    </div>
  );
}
