/** `GET /v1/reports/month`: what a merchant took, refunded and was paid out in a month. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { MonthReportResource, monthReportResource } from '../../../contract/month-report.ts';
import type { Database } from '../../../db/pool.ts';
import { readMonthReport } from '../../../db/reports/month-report.ts';
import { knownZone } from '../../../domain/cached-formats.ts';
import { addMonths, daysOfMonth, monthOf } from '../../../domain/month-report.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { requireMerchant } from '../require-in-scope.ts';
import { anyId, timeZone } from '../text-schemas.ts';

const NO_MONTH = 'must be a month that has started, such as 2026-10';

const MonthReportQuery = z.object({
  merchant_id: field(anyId, 'The merchant.', 'mer_demo_diner'),
  month: field(
    z.string().max(10).optional(),
    'The month, such as `2026-10`. The default is the month before the present one.',
    '2026-10',
  ),
  time_zone: field(
    timeZone.optional(),
    'IANA name of the time zone in which days begin. The default is the `time_zone` of the merchant.',
    'America/New_York',
  ),
});

const RETRIEVE_MONTH_REPORT = {
  id: 'retrieve_month_report',
  limited: 'read',
  group: 'Charges',
  summary: 'Retrieve the report of a month',
  description: `Returns what a merchant took, refunded and was paid out in a month, by currency, day and way of payment. Charges and
refunds count on the day they were created, and payouts on the day they arrive. Each request computes the report
again. If that takes too long, returns \`invalid_value\`.`,
  query: MonthReportQuery,
  response: MonthReportResource,
  answers: 'The report.',
  errors: ['missing_required_fields', 'merchant_not_found'],
  example: { query: { merchant_id: 'mer_demo_diner', time_zone: 'America/New_York' } },
} satisfies Operation;

export function monthReportRoute(app: FastifyInstance, { database }: { database: Database }): void {
  addOperation(app, 'GET /reports/month', RETRIEVE_MONTH_REPORT, async ({ query }, { scope }) => {
    const { merchant } = await requireMerchant(database, { scope }, query.merchant_id);
    const zone = query.time_zone ?? knownZone(merchant.timeZone);
    const now = new Date();
    const days = daysOfMonth(query.month ?? addMonths(monthOf(now, zone), -1), zone, now);
    if (days === null) throw new ApiError('invalid_value', { param: 'month', message: `\`month\` ${NO_MONTH}.` });
    const totals = await readMonthReport(database, { scope, merchantId: merchant.id, days });
    if (totals === 'too_long') {
      const message = 'Counting the charges of the month takes too long.';
      throw new ApiError('invalid_value', { param: 'month', message });
    }
    return monthReportResource(totals, merchant, days, scope.mode);
  });
}
