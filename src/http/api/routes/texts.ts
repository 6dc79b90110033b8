/** `GET /v1/texts`: the texts to callers, newest first; never a code or a pay link. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireChargeInScope } from '../../../checkout/refund.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { TextResource, textResource } from '../../../contract/texts.ts';
import type { Sql } from '../../../db/pool.ts';
import { listTexts } from '../../../db/texts/text-lists.ts';
import { SESSION_FILTER, sessionFilter, TIME_FILTERS, timeRange } from '../list-filters.ts';
import { PageQuery, pageRequest, requirePage } from '../pages.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import { anyId } from '../text-schemas.ts';
import { parseQuery } from '../validation.ts';

const ListTextsQuery = PageQuery.extend({
  ...TIME_FILTERS,
  checkout_session_id: SESSION_FILTER,
  charge: field(
    anyId.optional(),
    'Only texts about the charge with this `charge_id`.',
    'ch_x6ueh4kxj94cewxy97eft8edv6',
  ),
});

const TextList = z.object({
  texts: field(z.array(TextResource), 'Newest first.'),
  has_more: FIELDS.has_more,
});

const LIST_TEXTS = {
  id: 'list_texts',
  group: 'Texts',
  summary: 'List texts',
  description: `Lists the texts to callers with their delivery status, newest first. Numbers are masked, and a text with a pay link
or a code has no \`body\`. Texts are kept for 90 days. \`starting_after\` is a \`text_id\`.`,
  query: ListTextsQuery,
  response: TextList,
  answers: 'A page of the list.',
  errors: ['session_not_found', 'not_found'],
  example: { query: { limit: '5' } },
} satisfies Operation;

export function textListRoute(app: FastifyInstance, { database }: { database: Sql }): void {
  addOperation(app, 'GET /texts', LIST_TEXTS, async ({ query: text, scope }) => {
    const query = parseQuery(ListTextsQuery, text);
    const filter = {
      ...timeRange(query),
      sessionId: await sessionFilter(database, scope, query.checkout_session_id),
      chargeId: query.charge === undefined ? null : await requireChargeInScope(database, scope, query.charge),
    };
    const page = requirePage(await listTexts(database, scope, filter, pageRequest(query)));
    return { texts: page.items.map(textResource), has_more: page.hasMore };
  });
}
