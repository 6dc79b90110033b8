/** `/v1/texts`: the texts to callers, without codes and pay links, and their totals. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireChargeInScope } from '../../../checkout/refund.ts';
import { field } from '../../../contract/fields.ts';
import { TextTotalsResource, textTotalsResource } from '../../../contract/list-totals.ts';
import { TextResource, textResource } from '../../../contract/texts.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import { listTexts, type TextFilter } from '../../../db/texts/text-lists.ts';
import { readTextTotals } from '../../../db/texts/text-totals.ts';
import type { Scope } from '../../../domain/account.ts';
import { TEXT_STATES } from '../../../domain/texts.ts';
import {
  callerFilter,
  ORDER_FILTERS,
  SESSION_FILTER,
  sessionFilter,
  TIME_FILTERS,
  timeRange,
} from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { anyId } from '../text-schemas.ts';

const TextFilters = z.object({
  ...TIME_FILTERS,
  checkout_session_id: SESSION_FILTER,
  caller_phone: ORDER_FILTERS.caller_phone,
  charge: field(
    anyId.optional(),
    'Only texts about the charge with this `charge_id`.',
    'ch_x6ueh4kxj94cewxy97eft8edv6',
  ),
  delivery_status: field(
    z.enum(TEXT_STATES).optional(),
    "Only texts with this delivery status: the carrier's report (`delivery`), or `status` if there is no report yet.",
    'delivered',
  ),
  undelivered: field(
    z.enum(['true']).optional(),
    '`true`: only texts that could not be sent, or that the carrier reports as undelivered.',
    'true',
  ),
});

const ListTextsQuery = PageQuery.extend(TextFilters.shape);

const LIST_TEXTS = {
  id: 'list_texts',
  limited: 'read',
  group: 'Texts',
  summary: 'List texts',
  description: `Lists the texts to callers with their delivery status, newest first. Numbers are masked, and a text with a pay link
or a code has no \`body\`. Texts are kept for 90 days. \`starting_after\` is a \`text_id\`.`,
  query: ListTextsQuery,
  response: listOf('texts', TextResource),
  errors: ['session_not_found', 'not_found'],
  example: { query: { limit: '5' } },
} satisfies ListOperation;

const RETRIEVE_TEXT_TOTALS = {
  id: 'retrieve_text_totals',
  limited: 'read',
  group: 'Texts',
  summary: 'Retrieve totals of texts',
  description: `Counts the texts that match the filters of \`list_texts\`, by delivery status: the carrier's report
(\`delivery\`), or \`status\` if there is no report yet. Each text counts once, at the time it was created.`,
  query: TextFilters,
  response: TextTotalsResource,
  answers: 'The counts.',
  errors: ['session_not_found', 'not_found'],
  example: { query: { created_after: '2026-11-01T00:00:00Z' } },
} satisfies Operation;

export function textListRoutes(app: FastifyInstance, { database }: { database: Database }): void {
  addList(app, 'GET /texts', LIST_TEXTS, textResource, async ({ query }, { scope }) =>
    listTexts(database, scope, await textFilter(database, scope, query), pageRequest(query)),
  );

  addOperation(app, 'GET /texts/totals', RETRIEVE_TEXT_TOTALS, async ({ query }, { scope }) =>
    textTotalsResource(await readTextTotals(database, scope, await textFilter(database, scope, query))),
  );
}

async function textFilter(sql: Sql, scope: Scope, query: z.infer<typeof TextFilters>): Promise<TextFilter> {
  return {
    ...timeRange(query),
    sessionId: await sessionFilter(sql, scope, query.checkout_session_id),
    recipients: await callerFilter(sql, scope, query.caller_phone),
    state: query.delivery_status ?? null,
    undelivered: query.undelivered !== undefined,
    chargeId: query.charge === undefined ? null : await requireChargeInScope(sql, scope, query.charge),
  };
}
