/** The month-end reports of the chosen merchants of a target, on the first day of a month. */
import { isDeepStrictEqual } from 'node:util';
import type { BaseLogger } from 'pino';
import { tryAdvisoryLock } from '../db/advisory-locks.ts';
import { insertAlertMessage } from '../db/alerts/alert-messages.ts';
import { findReadyTarget, lockReadyTarget, type ReadyTarget } from '../db/alerts/alert-news.ts';
import { noteReport, retryReport } from '../db/alerts/alert-targets.ts';
import { listMerchantNames } from '../db/merchants/merchant-records.ts';
import type { Database, Sql } from '../db/pool.ts';
import { readMonthReport } from '../db/reports/month-report.ts';
import { withSavepoints } from '../db/savepoints.ts';
import type { AlertReport, AlertTargetId } from '../domain/alerts.ts';
import { knownZone } from '../domain/cached-formats.ts';
import { daysOfMonth, type MonthTotals } from '../domain/month-report.ts';
import type { LanguageTag } from '../languages/index.ts';
import { type AlertBlock, type AlertContext, type AlertMessage, envelope, pageLink } from './message.ts';
import { moneyRows } from './money-rows.ts';
import { alertFormats } from './words/formats.ts';
import { alertTexts } from './words/index.ts';

interface ReportDeps {
  database: Database;
  log: Pick<BaseLogger, 'error'>;
}

const MINUTE_MS = 60_000;
/** Before the next try to count a report. After as many failures and one more, the report says that it was not counted. */
const RETRY_DELAYS_MS = [1, 5, 30, 120].map((minutes) => minutes * MINUTE_MS);

/**
 * Counts before the target is locked, because that can take long. Only one worker counts. If the target was changed
 * meanwhile, the next sweep counts again. If counting fails, it is tried again later, because the cause may be gone then.
 */
export async function gatherReport({ database, log }: ReportDeps, id: AlertTargetId): Promise<void> {
  await database.transaction(async (sql) => {
    if (!(await tryAdvisoryLock(sql, `report of ${id}`))) return;
    const target = await findReadyTarget(sql, id);
    if (target?.monthToReport == null) return;
    const { report, hasFailed } = await readReport(sql, target, target.monthToReport, log);
    const locked = await lockReadyTarget(sql, id);
    if (locked === null || !isDeepStrictEqual(subjectOf(locked), subjectOf(target))) return;
    const delayMs = RETRY_DELAYS_MS[locked.reportFailures];
    if (hasFailed && delayMs !== undefined) return retryReport(sql, id, delayMs);
    if (report.merchants.length > 0) await insertAlertMessage(sql, locked, 'report', report);
    await noteReport(sql, id, report.month);
  });
}

/** What the report is about. */
const subjectOf = ({ monthToReport, timeZone, reportMerchants }: ReadyTarget) => [
  monthToReport,
  timeZone,
  reportMerchants,
];

async function readReport(
  sql: Sql,
  target: ReadyTarget,
  month: string,
  log: ReportDeps['log'],
): Promise<{ report: AlertReport; hasFailed: boolean }> {
  const { accountId, mode, reportMerchants } = target;
  const scope = { accountId, mode };
  const timeZone = knownZone(target.timeZone);
  const days = daysOfMonth(month, timeZone, new Date());
  const report: AlertReport = { month, timeZone, merchants: [] };
  let hasFailed = false;
  if (days === null) return { report, hasFailed };
  for (const { id, businessName } of await listMerchantNames(sql, scope, reportMerchants)) {
    const totals = await readMonthReport(withSavepoints(sql), { scope, merchantId: id, days }).catch(
      (error: unknown) => {
        log.error({ err: error, alertTargetId: target.id, merchantId: id }, 'a month-end report could not be counted');
        hasFailed = true;
        return null;
      },
    );
    if (totals === 'too_long') hasFailed = true;
    const shown = totals === 'too_long' || totals === null ? null : totals.map(withoutParts);
    report.merchants.push({ merchantId: id, businessName, totals: shown });
  }
  return { report, hasFailed };
}

const withoutParts = ({ ways: _ways, days: _days, ...sums }: MonthTotals) => sums;

export function reportMessage(context: AlertContext, report: AlertReport): AlertMessage {
  const { month } = alertFormats(context.language);
  return {
    ...envelope(context, alertTexts(context.language).report.heading(month(report.month))),
    blocks: report.merchants.map((merchant) => merchantBlock(context, report, merchant)),
  };
}

function merchantBlock(
  context: AlertContext,
  { month, timeZone }: AlertReport,
  { merchantId, businessName, totals }: AlertReport['merchants'][number],
): AlertBlock {
  const w = alertTexts(context.language).report;
  const query = new URLSearchParams({ merchant_id: merchantId, month, zone: timeZone });
  const block = { title: businessName, link: pageLink(context, `/reports?${query}`, w.open) };
  if (totals === null) return { ...block, lines: [w.notCounted] };
  if (totals.length === 0) return { ...block, lines: [w.none] };
  return { ...block, rows: totals.flatMap((sums) => rowsOf(context.language, sums, totals.length > 1)) };
}

/** @param isNamed the currency is named, because there are several */
function rowsOf(
  tag: LanguageTag,
  sums: Omit<MonthTotals, 'ways' | 'days'>,
  isNamed: boolean,
): readonly (readonly [label: string, value: string])[] {
  const w = alertTexts(tag);
  const { currency, disputedCents, lostCents } = sums;
  const label = (text: string) => (isNamed ? w.inCurrency(text, currency) : text);
  const money = (cents: number) => alertFormats(tag).money(cents, currency);
  return [
    ...moneyRows(tag, sums, isNamed),
    ...(sums.disputes === 0
      ? []
      : [[label(w.report.disputed), w.report.ofDisputes(money(disputedCents), money(lostCents))] as const]),
    ...(sums.payouts === 0 ? [] : [[label(w.report.paidOut), paidOutText(tag, sums)] as const]),
  ];
}

type PaidOut = Pick<MonthTotals, 'currency' | 'payouts' | 'sharedPayouts' | 'paidOutCents' | 'feeCents'>;

function paidOutText(tag: LanguageTag, { currency, payouts, sharedPayouts, paidOutCents, feeCents }: PaidOut): string {
  const w = alertTexts(tag).report;
  const { money } = alertFormats(tag);
  const paid = money(paidOutCents, currency);
  const afterFees = feeCents === null ? paid : w.afterFees(paid, money(feeCents, currency));
  return sharedPayouts === 0 ? afterFees : w.shared(afterFees, sharedPayouts, payouts);
}
