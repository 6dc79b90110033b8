/** `/overview`: payments compared with the previous period, the funnel of calls, and declines. */
import type { ComponentChildren } from 'preact';
import type { StatisticsFigures, StatisticsResource } from '../../../contract/statistics.ts';
import { limitToMerchants } from '../../../db/merchant-limit/limit.ts';
import { listMerchantNames } from '../../../db/merchants/merchant-records.ts';
import { parseId } from '../../../domain/ids.ts';
import { AttentionBlock, readOpenAttention } from '../attention/block.tsx';
import { choosesPage, DAY_INPUT, DayFault, dayFaultId } from '../list/filters.tsx';
import { type MerchantPicker, MerchantPickerField, readMerchantPicker } from '../list/merchant-picker.tsx';
import { listWords } from '../list/words/index.ts';
import { InEnglish } from '../page/english.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { AddPages, PageRoutes, View } from '../page/page-routes.ts';
import { EmptyState, Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { timeZone } from '../words/time-zone.ts';
import { Figures } from './figures.tsx';
import { Declines, Funnel, Merchants, PaymentsByDay } from './parts.tsx';
import { chosenPeriod, dateText, type OverviewPeriod, PERIOD_CHOICES, placeOf, zonesOf } from './period.ts';
import { overviewWords } from './words/index.ts';

export const overviewPages: AddPages = ({ page, database }) =>
  page('/overview', (visit) => showOverview(database, visit));

async function showOverview(database: PageRoutes['database'], visit: Visit): Promise<View> {
  const merchantId = visit.query.merchant_id || undefined;
  const [picker, attention] = await Promise.all([readMerchantPicker(database, visit), readOpenAttention(visit)]);
  const zones = zonesOf(picker.merchants);
  const chosen = chosenPeriod(visit.query, timeZone(), new Date());
  const { period } = chosen;
  const content = period && (await contentOf(database, visit, period, merchantId));
  const { title } = overviewWords();
  return {
    title,
    section: 'overview',
    body: (
      <>
        <PageHead title={title} lead={period === null ? undefined : leadText(period)} />
        <AttentionBlock visit={visit} attention={attention} />
        <Period visit={visit} chosen={chosen} zones={zones} picker={picker} merchantId={merchantId} />
        {content}
      </>
    ),
  };
}

async function contentOf(
  database: PageRoutes['database'],
  visit: Visit,
  period: OverviewPeriod,
  merchantId: string | undefined,
): Promise<ComponentChildren> {
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
  if (!answer.ok) return <Notice tone="bad" title={<InEnglish text={answer.error.message} />} />;
  const nameOf = await namesOf(database, visit, answer.body.merchants);
  return <Content visit={visit} statistics={answer.body} period={period} merchantId={merchantId} nameOf={nameOf} />;
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

function leadText({ firstDay, lastDay, isUntilNow, before: [from, to], days, zone }: OverviewPeriod): string {
  const w = overviewWords();
  const before = [dateText(from), dateText(to)] as const;
  if (isUntilNow) return w.lead(dateText(firstDay), days, before, placeOf(zone));
  return w.leadOfDays(dateText(firstDay), dateText(lastDay), days, before, placeOf(zone));
}

interface PeriodProps {
  visit: Visit;
  chosen: ReturnType<typeof chosenPeriod>;
  zones: readonly string[];
  picker: MerchantPicker;
  merchantId: string | undefined;
}

function Period({ visit, chosen, zones, picker, merchantId }: PeriodProps) {
  const w = overviewWords();
  return (
    <form class="filters" action={visit.path} method="get" aria-label={w.filters} {...choosesPage(visit.path)}>
      <div class="field">
        <label for="days">{w.period}</label>
        <select id="days" name="days">
          {chosen.choice === null && <option value="">{w.chosenDays}</option>}
          {PERIOD_CHOICES.map((each) => (
            <option key={each} value={each} selected={each === chosen.choice}>
              {w.periods[each]}
            </option>
          ))}
        </select>
        {chosen.choice === null && <input type="hidden" name="chosen" value="days" />}
      </div>
      <DayField name="from" chosen={chosen} />
      <DayField name="to" chosen={chosen} />
      <div class="field">
        <label for="zone">{w.daysIn}</label>
        <select id="zone" name="zone">
          {[...new Set([...zones, timeZone()])].map((zone) => (
            <option key={zone} value={zone} selected={zone === timeZone()}>
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

function DayField({ name, chosen }: { name: 'from' | 'to'; chosen: PeriodProps['chosen'] }) {
  const w = listWords();
  const fault = chosen.faults[name];
  return (
    <div class="field">
      <label for={name}>{w[name]}</label>
      <input id={name} name={name} value={chosen[name]} {...DAY_INPUT} aria-describedby={dayFaultId(name)} />
      <DayFault id={dayFaultId(name)} text={fault && w.dayFaults[fault]} />
    </div>
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
  const counted = { from: shown.firstDay, to: shown.lastDay, zone: shown.zone, merchantId };
  return (
    <div class="overview">
      <Figures period={period} before={before} days={shown.days} />
      <PaymentsByDay visit={visit} days={statistics.days} counted={counted} isUntilNow={shown.isUntilNow} />
      <Funnel visit={visit} steps={period.funnel} counted={counted} />
      <Declines visit={visit} declines={period.declines} counted={counted} />
      <Merchants visit={visit} merchants={statistics.merchants} counted={counted} nameOf={nameOf} />
    </div>
  );
}
