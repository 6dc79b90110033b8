/** The month-end reports of the chosen merchants of a target, on the first day of a month. */
import { isDeepStrictEqual } from 'node:util';
import { tryAdvisoryLock } from '../db/advisory-locks.ts';
import { insertAlertMessage } from '../db/alerts/alert-messages.ts';
import { findReadyTarget, lockReadyTarget, type ReadyTarget } from '../db/alerts/alert-news.ts';
import { noteReport } from '../db/alerts/alert-targets.ts';
import { listMerchantNames } from '../db/merchants/merchant-records.ts';
import type { Database, Sql } from '../db/pool.ts';
import { readMonthReport } from '../db/reports/month-report.ts';
import { withSavepoints } from '../db/savepoints.ts';
import type { AlertReport, AlertTargetId } from '../domain/alerts.ts';
import { knownZone } from '../domain/cached-formats.ts';
import { daysOfMonth, type MonthTotals } from '../domain/month-report.ts';
import { type AlertBlock, type AlertContext, type AlertMessage, envelope, pageLink } from './message.ts';
import { moneyRows, moneyText } from './money-rows.ts';

/**
 * Counts before the target is locked, because that can take long. Only one worker counts. If the target was changed
 * meanwhile, the next sweep counts again.
 */
export async function gatherReport(database: Database, id: AlertTargetId): Promise<void> {
  await database.transaction(async (sql) => {
    if (!(await tryAdvisoryLock(sql, `report of ${id}`))) return;
    const target = await findReadyTarget(sql, id);
    if (target?.monthToReport == null) return;
    const report = await readReport(sql, target, target.monthToReport);
    const locked = await lockReadyTarget(sql, id);
    if (locked === null || !isDeepStrictEqual(subjectOf(locked), subjectOf(target))) return;
    if (report.merchants.length > 0) await insertAlertMessage(sql, id, 'report', report);
    await noteReport(sql, id, report.month);
  });
}

/** What the report is about. */
const subjectOf = ({ monthToReport, timeZone, reportMerchants }: ReadyTarget) => [
  monthToReport,
  timeZone,
  reportMerchants,
];

async function readReport(sql: Sql, target: ReadyTarget, month: string): Promise<AlertReport> {
  const { accountId, mode, reportMerchants } = target;
  const scope = { accountId, mode };
  const timeZone = knownZone(target.timeZone);
  const days = daysOfMonth(month, timeZone, new Date());
  const report: AlertReport = { month, timeZone, merchants: [] };
  if (days === null) return report;
  for (const { id, businessName } of await listMerchantNames(sql, scope, reportMerchants)) {
    const totals = await readMonthReport(withSavepoints(sql), { scope, merchantId: id, days });
    const shown = totals === 'too_long' ? null : totals.map(withoutParts);
    report.merchants.push({ merchantId: id, businessName, totals: shown });
  }
  return report;
}

const withoutParts = ({ ways: _ways, days: _days, ...sums }: MonthTotals) => sums;

const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });

export function reportMessage(context: AlertContext, report: AlertReport): AlertMessage {
  const heading = `Report of ${MONTH.format(new Date(`${report.month}-01T00:00:00Z`))}`;
  return {
    ...envelope(context, heading),
    heading,
    blocks: report.merchants.map((merchant) => merchantBlock(context, report, merchant)),
  };
}

function merchantBlock(
  context: AlertContext,
  { month, timeZone }: AlertReport,
  { merchantId, businessName, totals }: AlertReport['merchants'][number],
): AlertBlock {
  const query = new URLSearchParams({ merchant_id: merchantId, month, zone: timeZone });
  const block = { title: businessName, link: pageLink(context, `/reports?${query}`, 'Open the report') };
  if (totals === null) return { ...block, lines: ['Counting took too long. The report in the dashboard may work.'] };
  if (totals.length === 0) return { ...block, lines: ['No payments, refunds, disputes or payouts'] };
  return { ...block, rows: totals.flatMap((sums) => rowsOf(sums, totals.length > 1)) };
}

/** @param isNamed the currency is named, because there are several */
function rowsOf(
  sums: Omit<MonthTotals, 'ways' | 'days'>,
  isNamed: boolean,
): readonly (readonly [label: string, value: string])[] {
  const { currency } = sums;
  const label = (text: string) => (isNamed ? `${text}, ${currency}` : text);
  const money = (cents: number) => moneyText(cents, currency);
  return [
    ...moneyRows(sums, isNamed),
    ...(sums.disputes === 0
      ? []
      : [[label('Disputed'), `${money(sums.disputedCents)}, ${money(sums.lostCents)} lost`] as const]),
    ...(sums.payouts === 0 ? [] : [[label('Paid out'), paidOutText(sums)] as const]),
  ];
}

type PaidOut = Pick<MonthTotals, 'currency' | 'payouts' | 'sharedPayouts' | 'paidOutCents' | 'feeCents'>;

function paidOutText({ currency, payouts, sharedPayouts, paidOutCents, feeCents }: PaidOut): string {
  const paid = moneyText(paidOutCents, currency);
  const afterFees = feeCents === null ? paid : `${paid}, after ${moneyText(feeCents, currency)} fees`;
  if (sharedPayouts === 0) return afterFees;
  return `${afterFees} (${sharedPayouts} of ${payouts} payouts shared with other merchants)`;
}
