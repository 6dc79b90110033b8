/** `/overview`: payments compared with the previous period, the funnel of calls, and declines. */
import type { StatisticsFigures, StatisticsResource } from '../../../contract/statistics.ts';
import { limitToMerchants } from '../../../db/merchant-limit/limit.ts';
import { listMerchantNames } from '../../../db/merchants/merchant-records.ts';
import { parseId } from '../../../domain/ids.ts';
import { AttentionBlock, readOpenAttention } from '../attention/block.tsx';
import { choosesPage } from '../list/filters.tsx';
import { type MerchantPicker, MerchantPickerField, readMerchantPicker } from '../list/merchant-picker.tsx';
import { InEnglish } from '../page/english.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { AddPages, PageRoutes, View } from '../page/page-routes.ts';
import { EmptyState, Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { timeZone } from '../words/time-zone.ts';
import { Figures } from './figures.tsx';
import { Declines, Funnel, Merchants, PaymentsByDay } from './parts.tsx';
import { DAY_CHOICES, dateText, type OverviewPeriod, overviewPeriod, placeOf, zonesOf } from './period.ts';
import { overviewWords } from './words/index.ts';

export const overviewPages: AddPages = ({ page, database }) =>
  page('/overview', (visit) => showOverview(database, visit));

async function showOverview(database: PageRoutes['database'], visit: Visit): Promise<View> {
  const merchantId = visit.query.merchant_id || undefined;
  const [picker, attention] = await Promise.all([readMerchantPicker(database, visit), readOpenAttention(visit)]);
  const zones = zonesOf(picker.merchants);
  const period = chosenPeriod(visit);
  const answer = await visit.tryAsk<StatisticsResource>({
    path: '/v1/statistics',
    query: {
      from: period.from.toISOString(),
      to: period.to.toISOString(),
      compare_from: period.compareFrom.toISOString(),
      time_zone: period.zone,
      merchant_id: merchantId,
    },
  });
  if (!answer.ok && answer.status >= 500) throw new DashboardFault(faultOfStatus(answer.status), answer.error.message);
  const nameOf = await namesOf(database, visit, answer.ok ? answer.body.merchants : []);
  const { title } = overviewWords();
  return {
    title,
    section: 'overview',
    body: (
      <>
        <PageHead title={title} lead={leadText(period)} />
        <AttentionBlock visit={visit} attention={attention} />
        <Period visit={visit} period={period} zones={zones} picker={picker} merchantId={merchantId} />
        {answer.ok ? (
          <Content visit={visit} statistics={answer.body} period={period} merchantId={merchantId} nameOf={nameOf} />
        ) : (
          <Notice tone="bad" title={<InEnglish text={answer.error.message} />} />
        )}
      </>
    ),
  };
}

/** The names of the merchants of the statistics. */
async function namesOf(
  database: PageRoutes['database'],
  visit: Visit,
  counted: StatisticsResource['merchants'],
): Promise<(merchantId: string) => string> {
  const sql = limitToMerchants(database, await visit.merchants());
  const ids = counted.flatMap(({ merchant_id }) => parseId('Merchant', merchant_id) ?? []);
  const found = await listMerchantNames(sql, { accountId: visit.user.accountId, mode: visit.mode }, ids);
  const names = new Map<string, string>(found.map(({ id, businessName }) => [id, businessName]));
  return (id) => names.get(id) ?? id;
}

/** Of the URL, otherwise seven days. */
function chosenPeriod({ query }: Visit): OverviewPeriod {
  const days = Number(DAY_CHOICES.find((each) => each === query.days) ?? DAY_CHOICES[0]);
  const now = new Date();
  const period = overviewPeriod(days, timeZone(), now);
  if (period === null) throw new Error('the page has no time zone');
  return period;
}

function leadText({ firstDay, before: [from, to], days, zone }: OverviewPeriod): string {
  return overviewWords().lead(dateText(firstDay), days, [dateText(from), dateText(to)], placeOf(zone));
}

interface PeriodProps {
  visit: Visit;
  period: OverviewPeriod;
  zones: readonly string[];
  picker: MerchantPicker;
  merchantId: string | undefined;
}

function Period({ visit, period, zones, picker, merchantId }: PeriodProps) {
  const w = overviewWords();
  return (
    <form class="filters" action={visit.path} method="get" aria-label={w.filters} {...choosesPage(visit.path)}>
      <div class="field">
        <label for="days">{w.period}</label>
        <select id="days" name="days">
          {DAY_CHOICES.map((each) => (
            <option key={each} value={each} selected={Number(each) === period.days}>
              {w.lastDays(each)}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="zone">{w.daysIn}</label>
        <select id="zone" name="zone">
          {[...new Set([...zones, period.zone])].map((zone) => (
            <option key={zone} value={zone} selected={zone === period.zone}>
              {zone.replaceAll('_', ' ')}
            </option>
          ))}
        </select>
      </div>
      <MerchantPickerField picker={picker} chosen={merchantId} label={w.merchant} all={w.all} />
      <div class="actions">
        <button type="submit">{w.apply}</button>
      </div>
    </form>
  );
}

const isEmpty = ({ charges_succeeded, charges_failed, charges_pending, funnel }: StatisticsFigures) =>
  charges_succeeded + charges_failed + charges_pending === 0 && funnel.every(({ reached }) => reached === 0);

interface ContentProps {
  visit: Visit;
  statistics: StatisticsResource;
  period: OverviewPeriod;
  merchantId: string | undefined;
  nameOf: (merchantId: string) => string;
}

function Content({ visit, statistics, period: shown, merchantId, nameOf }: ContentProps) {
  const { period, period_before: before } = statistics;
  if (isEmpty(period) && isEmpty(before)) {
    const { title, text, action } = overviewWords().empty;
    return (
      <EmptyState
        icon="overview"
        title={title}
        text={text}
        action={
          visit.knownPaths.has('/start') && (
            <a class="button" href={`${visit.base}/start`}>
              {action}
            </a>
          )
        }
      />
    );
  }
  const counted = { from: shown.firstDay, to: shown.today, zone: shown.zone, merchantId };
  return (
    <div class="overview">
      <Figures period={period} before={before} days={shown.days} />
      <PaymentsByDay visit={visit} days={statistics.days} counted={counted} />
      <Funnel steps={period.funnel} />
      <Declines visit={visit} declines={period.declines} counted={counted} />
      <Merchants visit={visit} merchants={statistics.merchants} counted={counted} nameOf={nameOf} />
    </div>
  );
}
