/** Reads a page of a list from REST with the filters in the URL. An invalid filter becomes a message above the list. */
import type { FastifyReply } from 'fastify';
import type { ErrorObject } from '../../../contract/error-object.ts';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { Visit } from '../page/visit.ts';
import { language } from '../words/language.ts';
import { sendCsv } from './csv.ts';
import { type Filter, isOfPeriod, periodFaultText } from './filters.tsx';
import { periodQuery } from './period.ts';

export interface ListSource<T> {
  /** `/v1/calls`. */
  path: string;
  /** The field of the answer that holds the rows. */
  field: string;
  /** What `starting_after` takes. */
  idOf: (row: T) => string;
}

export interface ListReading<T> {
  rows: readonly T[];
  hasMore: boolean;
  /** The error of an invalid filter, or null. Then there are no rows. */
  fault: string | null;
  /** Why the list is locked, for example in a public demo; otherwise null. */
  refusal: string | null;
}

export async function readList<T>(
  visit: Visit,
  { path, field }: ListSource<T>,
  filters: readonly Filter[],
): Promise<ListReading<T>> {
  const none = { rows: [], hasMore: false, fault: null, refusal: null };
  const wrong = periodFaultText(visit, filters);
  if (wrong !== null) return { ...none, fault: wrong };
  const answer = await visit.tryAsk<Record<string, unknown>>({ path, query: listQuery(visit, filters) });
  if (answer.ok) return { ...none, rows: answer.body[field] as T[], hasMore: answer.body.has_more === true };
  const { status, error } = answer;
  // Every role may read lists, so a 403 means that the list itself is locked.
  if (status === 403) return { ...none, refusal: error.message };
  // The filtered object does not exist or belongs to the other mode, so nothing matches.
  const isNothing = status === 404 || status === 401;
  if (!isNothing && status !== 400) throw new DashboardFault(faultOfStatus(status), error.message);
  return { ...none, fault: isNothing ? null : inWords(error, filters) };
}

/** In English, replaces the parameter's name in the message with the filter's label. REST's messages are English. */
function inWords({ message, param }: ErrorObject, filters: readonly Filter[]): string {
  const filter = filters.find(({ name }) => name === param);
  return filter === undefined || language() !== 'en'
    ? message
    : message.replaceAll(`\`${filter.name}\``, `“${filter.label}”`);
}

/** Sends all rows that match the filters as a file. @throws DashboardFault if the days are wrong */
export async function downloadList<T extends object>(
  visit: Visit,
  reply: FastifyReply,
  { path, field, idOf }: ListSource<T>,
  { filters, columns }: { filters: readonly Filter[]; columns: readonly string[] },
): Promise<FastifyReply> {
  const wrong = periodFaultText(visit, filters);
  if (wrong !== null) throw new DashboardFault('refused', wrong, { isOwn: true });
  return sendCsv(reply, field, {
    columns,
    idOf,
    async rowsBehind(startingAfter) {
      const query = { ...listQuery(visit, filters), limit: '100', starting_after: startingAfter };
      const body = await visit.ask<Record<string, unknown>>({ path, query });
      return { rows: body[field] as T[], hasMore: body.has_more === true };
    },
  });
}

/** The query for REST: the filters and the cursor in the URL. */
function listQuery(visit: Visit, filters: readonly Filter[]): Record<string, string | undefined> {
  return { ...filterQuery(visit, filters), starting_after: visit.query.starting_after };
}

/** The query for REST: the filters in the URL. */
export function filterQuery({ query }: Visit, filters: readonly Filter[]): Record<string, string | undefined> {
  const others = filters.filter((filter) => !isOfPeriod(filter)).map(({ name }) => [name, query[name]?.trim() ?? '']);
  return { ...Object.fromEntries(others), ...(filters.some(isOfPeriod) && periodQuery(query)) };
}
