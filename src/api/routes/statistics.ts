/** `GET /v1/statistics`: payments over a time, beside the time before. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { merchantFilter, ORDER_FILTERS } from '../list-filters.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { timeZone } from '../text-schemas.ts';
import { parseQuery } from '../validation.ts';
import { ApiError } from '../../contract/errors.ts';
import { field } from '../../contract/fields.ts';
import { StatisticsResource, statisticsResource } from '../../contract/statistics.ts';
import type { Database } from '../../db/pool.ts';
import { readStatistics } from '../../db/statistics/statistics.ts';

const DAY_MS = 86_400_000;
const DEFAULT_DAYS = 7;
const MOST_DAYS = 92;

const time = z.iso.datetime({ offset: true, error: 'is no time in ISO 8601, with its zone' }).optional();

export const StatisticsQuery = z.object({
  from: field(
    time,
    `What was made at this time or after it is counted: ISO 8601, with \`Z\` or an offset. ${DEFAULT_DAYS} days before \`to\` where not given; ${MOST_DAYS} at most.`,
    '2026-11-01T00:00:00Z',
  ),
  to: field(time, 'What was made before this time is counted. Now, where not given.', '2026-11-08T00:00:00Z'),
  merchant_id: ORDER_FILTERS.merchant_id,
  time_zone: field(
    timeZone.optional(),
    'IANA name of the time zone in which days begin. `UTC` where not given.',
    'America/New_York',
  ),
});

const RETRIEVE_STATISTICS = {
  id: 'retrieve_statistics',
  group: 'Charges',
  summary: 'Retrieve statistics',
  description: `Payments, success rate, time to pay, the steps at which calls ended, and declines, of a period and of the time of the same length before it; the period
also by day and by merchant. Charges count at the time at which they were begun, calls at the time at which they came in. It is counted anew for each request: what
takes the database too long is refused (\`invalid_value\`); ask for a shorter period.`,
  query: StatisticsQuery,
  response: StatisticsResource,
  answers: 'The figures of both.',
  errors: ['merchant_not_found'],
  example: { query: { merchant_id: 'mer_demo_diner', time_zone: 'America/New_York' } },
} satisfies Operation;

export function statisticsRoute(app: FastifyInstance, { database }: { database: Database }): void {
  addOperation(app, 'GET /statistics', RETRIEVE_STATISTICS, async ({ query: text, scope }) => {
    const query = parseQuery(StatisticsQuery, text);
    const request = {
      ...{ scope, ...periodOf(query), timeZone: query.time_zone ?? 'UTC' },
      merchantId: await merchantFilter(database, scope, query.merchant_id),
    };
    const statistics = await readStatistics(database, request);
    if (statistics === 'unknown_zone') throw wrong('time_zone', 'time_zone is not a time zone (IANA).');
    if (statistics === 'too_long') throw wrong('from', 'This takes too long to count. Ask for a shorter period.');
    return statisticsResource(statistics, request, scope.mode);
  });
}

/** @throws ApiError `invalid_value` */
function periodOf(query: { from?: string | undefined; to?: string | undefined }): { from: Date; to: Date } {
  const to = query.to === undefined ? new Date() : new Date(query.to);
  const from = query.from === undefined ? new Date(to.getTime() - DEFAULT_DAYS * DAY_MS) : new Date(query.from);
  if (from >= to) throw wrong('from', 'from is not before to.');
  if (to.getTime() - from.getTime() > MOST_DAYS * DAY_MS) {
    throw wrong('from', `The period is longer than ${MOST_DAYS} days.`);
  }
  return { from, to };
}

const wrong = (param: string, message: string) => new ApiError('invalid_value', { param, message });
