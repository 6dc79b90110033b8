/** `/reports`: what a merchant took, refunded and was paid out in a month. Printable, and as CSV by day. */
import type { FastifyReply } from 'fastify';
import type { MonthReportResource } from '../../../contract/month-report.ts';
import { addMonths } from '../../../domain/month-report.ts';
import { sendCsv } from '../list/csv.ts';
import { choosesPage, searchOf } from '../list/filters.tsx';
import { type MerchantPicker, MerchantPickerField, readMerchantPicker } from '../list/merchant-picker.tsx';
import { listWords } from '../list/words/index.ts';
import { InEnglish } from '../page/english.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import { Icon } from '../page/icons.tsx';
import type { AddPages, PageRoutes, View } from '../page/page-routes.ts';
import { EmptyState, Notice, PageHead } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { timeText } from '../words/formats.ts';
import { language } from '../words/language.ts';
import { MonthTotals } from './totals.tsx';
import { reportWords } from './words/index.ts';

export const reportPages: AddPages = ({ page, download, database }) => {
  page('/reports', (visit) => showReport(database, visit));
  download('/reports.csv', downloadReport);
};

async function newestMerchant(visit: Visit): Promise<string | undefined> {
  const asked = { path: '/v1/merchants', query: { limit: '1' } };
  return (await visit.ask<{ merchants: { merchant_id: string }[] }>(asked)).merchants[0]?.merchant_id;
}

/** The report that the URL names. The default is the newest merchant, and the month before the present one. */
const reportOf = ({ query }: Visit, merchant: string) => ({
  path: '/v1/reports/month',
  query: { merchant_id: merchant, month: query.month || undefined, time_zone: query.zone || undefined },
});

async function showReport(database: PageRoutes['database'], visit: Visit): Promise<View> {
  const merchant = visit.query.merchant_id || (await newestMerchant(visit));
  const w = reportWords();
  const { title } = w;
  if (merchant === undefined) return { title, section: 'reports', body: <NoMerchants visit={visit} title={title} /> };
  const [picker, answer] = await Promise.all([
    readMerchantPicker(database, visit, merchant),
    visit.tryAsk<MonthReportResource>(reportOf(visit, merchant)),
  ]);
  if (!answer.ok && answer.status !== 400) throw new DashboardFault(faultOfStatus(answer.status), answer.error.message);
  const report = answer.ok ? answer.body : null;
  return {
    title: report === null ? title : w.titleOf(report.business_name, report.month),
    section: 'reports',
    body: (
      <div class="report">
        <PageHead title={title} lead={report === null ? undefined : <Lead report={report} />}>
          {report !== null && <Actions visit={visit} report={report} />}
        </PageHead>
        <Choices visit={visit} picker={picker} merchant={merchant} month={report?.month ?? null} />
        {answer.ok ? (
          <Totals visit={visit} report={answer.body} />
        ) : (
          <Notice tone="bad" title={<InEnglish text={faultText(answer.error.message)} />} />
        )}
      </div>
    ),
  };
}

/** To English readers, names the field as the page does. REST's messages are English. */
const faultText = (message: string): string =>
  language() === 'en' ? message.replaceAll('`month`', 'The month') : message;

/** `October 2026`. @param month `2026-10` */
const monthText = (month: string): string => timeText(`${month}-01`, 'month');

function Lead({ report: { business_name, month, time_zone, environment } }: { report: MonthReportResource }) {
  const lead = reportWords().lead[environment];
  return lead(<bdi>{business_name}</bdi>, monthText(month), time_zone.replaceAll('_', ' '));
}

function Actions({ visit, report }: { visit: Visit; report: MonthReportResource }) {
  const query = searchOf({ merchant_id: report.merchant_id, month: report.month, zone: visit.query.zone });
  return (
    <div class="actions">
      <button type="button" data-print hidden>
        <Icon name="print" /> {reportWords().print}
      </button>
      <a class="button" href={`${visit.path}.csv${query}`} download>
        <Icon name="download" /> {listWords().exportCsv}
      </a>
    </div>
  );
}

const SHOWN_MONTHS = 13;

interface ChoicesProps {
  visit: Visit;
  picker: MerchantPicker;
  merchant: string;
  /** Of the report; null if there is none. */
  month: string | null;
}

function Choices({ visit, picker, merchant, month }: ChoicesProps) {
  const present = new Date().toISOString().slice(0, 7);
  const months = Array.from({ length: SHOWN_MONTHS }, (_, back) => addMonths(present, -back));
  if (month !== null && !months.includes(month)) months.push(month);
  const { zone } = visit.query;
  const w = reportWords();
  return (
    <form class="filters" action={visit.path} method="get" aria-label={w.filters} {...choosesPage(visit.path)}>
      <MerchantPickerField picker={picker} chosen={merchant} label={w.merchant} />
      <div class="field">
        <label for="month">{w.month}</label>
        <select id="month" name="month">
          {months.map((each) => (
            <option key={each} value={each} selected={each === month}>
              {monthText(each)}
            </option>
          ))}
        </select>
      </div>
      {zone && <input type="hidden" name="zone" value={zone} />}
      <div class="actions">
        <button type="submit">{w.show}</button>
      </div>
    </form>
  );
}

function Totals({ visit, report }: { visit: Visit; report: MonthReportResource }) {
  const { empty, notes } = reportWords();
  if (report.totals.length === 0) {
    return <EmptyState icon="report" title={empty.title(monthText(report.month))} text={empty.text} />;
  }
  const isNamed = report.totals.length > 1;
  return (
    <>
      {report.totals.map((totals) => (
        <MonthTotals key={totals.currency} visit={visit} report={report} totals={totals} isNamed={isNamed} />
      ))}
      <p class="quiet small">{notes}</p>
    </>
  );
}

function NoMerchants({ visit, title }: { visit: Visit; title: string }) {
  const w = reportWords().noMerchants;
  const action = (
    <a class="button" href={`${visit.base}/setup/merchants/new`}>
      {w.action}
    </a>
  );
  return (
    <>
      <PageHead title={title} />
      <EmptyState icon="report" title={w.title} text={w.text} action={action} />
    </>
  );
}

const CSV = [
  'date',
  'currency',
  'payments',
  'gross_cents',
  'refunds',
  'refunded_cents',
  'net_cents',
  'merchant_id',
  'business_name',
  'time_zone',
];

/** A line for each day and currency. */
async function downloadReport(visit: Visit, reply: FastifyReply): Promise<FastifyReply> {
  const merchant = visit.query.merchant_id || (await newestMerchant(visit));
  if (merchant === undefined) throw new DashboardFault('not_found');
  const report = await visit.ask<MonthReportResource>(reportOf(visit, merchant));
  const { merchant_id, business_name, time_zone } = report;
  const rows = report.totals.flatMap(({ currency, days }) =>
    days.map((day) => ({ ...day, currency, merchant_id, business_name, time_zone })),
  );
  return sendCsv(reply, `report-${report.month}`, {
    columns: CSV,
    idOf: ({ date }) => date,
    rowsBehind: async () => ({ rows, hasMore: false }),
  });
}
