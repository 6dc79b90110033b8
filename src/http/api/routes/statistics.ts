/** `GET /v1/statistics`: payments in a period, compared with the period before. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { StatisticsResource, statisticsResource } from '../../../contract/statistics.ts';
import type { Database } from '../../../db/pool.ts';
import { readStatistics } from '../../../db/statistics/statistics.ts';
import type { StatisticsRequest } from '../../../domain/statistics.ts';
import { merchantFilter, ORDER_FILTERS } from '../list-filters.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { timeZone } from '../text-schemas.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MAX_DAYS = 92;
/** As many days of a time zone are an hour longer if its clocks are set back. */
const MAX_LENGTH_MS = MAX_DAYS * DAY_MS + 3_600_000;

const time = z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with a time zone' }).optional();

const StatisticsQuery = z.object({
  from: field(
    time,
    `Items created at this time or later are counted: ISO 8601, with \`Z\` or an offset. The default is ${DEFAULT_DAYS} days before \`to\`; the maximum is ${MAX_DAYS} days.`,
    '2026-11-01T00:00:00Z',
  ),
  to: field(time, 'Items created before this time are counted. The default is now.', '2026-11-08T00:00:00Z'),
  compare_from: field(
    time,
    'When the period before begins, to compare with the same days of the week, for example. It is as long as the period, and must be over when that begins. The default is the period directly before.',
    '2026-10-25T00:00:00Z',
  ),
  merchant_id: ORDER_FILTERS.merchant_id,
  time_zone: field(
    timeZone.optional(),
    'IANA name of the time zone in which days begin. The default is `UTC`.',
    'America/New_York',
  ),
});

const RETRIEVE_STATISTICS = {
  id: 'retrieve_statistics',
  limited: 'read',
  group: 'Charges',
  summary: 'Retrieve statistics',
  description: `Returns payments, refunds, success rate, time to pay, the steps at which calls ended, and declines, for a period and for
a period of the same length before it. The period is also broken down by day and by merchant. Charges count at the
time they were created, and their refunds with them, whenever they were made. Calls count at the time they were received. Each request computes them again. If that takes too long,
returns \`invalid_value\`: use a shorter period.`,
  query: StatisticsQuery,
  response: StatisticsResource,
  answers: 'The figures of both periods.',
  errors: ['merchant_not_found'],
  example: { query: { merchant_id: 'mer_demo_diner', time_zone: 'America/New_York' } },
} satisfies Operation;

export function statisticsRoute(app: FastifyInstance, { database }: { database: Database }): void {
  addOperation(app, 'GET /statistics', RETRIEVE_STATISTICS, async ({ query }, { scope }) => {
    const request = {
      scope,
      ...periodsOf(query),
      timeZone: query.time_zone ?? 'UTC',
      merchantId: await merchantFilter(database, scope, query.merchant_id),
    };
    const statistics = await readStatistics(database, request);
    if (statistics === 'unknown_zone') throw wrong('time_zone', '`time_zone` must be an IANA time zone.');
    if (statistics === 'too_long') throw wrong('from', 'Counting takes too long. Request a shorter period.');
    return statisticsResource(statistics, request, scope.mode);
  });
}

type Times = Pick<z.infer<typeof StatisticsQuery>, 'from' | 'to' | 'compare_from'>;

/** @throws ApiError `invalid_value` */
function periodsOf(query: Times): Pick<StatisticsRequest, 'from' | 'to' | 'compareFrom'> {
  const to = query.to === undefined ? new Date() : new Date(query.to);
  const from = query.from === undefined ? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS) : new Date(query.from);
  if (from >= to) throw wrong('from', '`from` must be before `to`.');
  const lengthMs = to.getTime() - from.getTime();
  if (lengthMs > MAX_LENGTH_MS) throw wrong('from', `The period must not be longer than ${MAX_DAYS} days.`);
  const latest = from.getTime() - lengthMs;
  const compareFrom = query.compare_from === undefined ? new Date(latest) : new Date(query.compare_from);
  if (compareFrom.getTime() > latest) {
    throw wrong('compare_from', 'The period that begins at `compare_from` must be over when the other one begins.');
  }
  if (compareFrom.getTime() < latest - MAX_DAYS * DAY_MS) {
    throw wrong('compare_from', `At most ${MAX_DAYS} days may be between the two periods.`);
  }
  return { from, to, compareFrom };
}

const wrong = (param: string, message: string) => new ApiError('invalid_value', { param, message });
