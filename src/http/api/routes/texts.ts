/** `GET /v1/texts`: the texts to callers, without codes and pay links. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireChargeInScope } from '../../../checkout/refund.ts';
import { field } from '../../../contract/fields.ts';
import { TextResource, textResource } from '../../../contract/texts.ts';
import type { Sql } from '../../../db/pool.ts';
import { listTexts } from '../../../db/texts/text-lists.ts';
import {
  callerFilter,
  ORDER_FILTERS,
  SESSION_FILTER,
  sessionFilter,
  TIME_FILTERS,
  timeRange,
} from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { anyId } from '../text-schemas.ts';

const ListTextsQuery = PageQuery.extend({
  ...TIME_FILTERS,
  checkout_session_id: SESSION_FILTER,
  caller_phone: ORDER_FILTERS.caller_phone,
  charge: field(
    anyId.optional(),
    'Only texts about the charge with this `charge_id`.',
    'ch_x6ueh4kxj94cewxy97eft8edv6',
  ),
  undelivered: field(
    z.enum(['true']).optional(),
    '`true`: only texts that could not be sent, or that the carrier reports as undelivered.',
    'true',
  ),
});

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

export function textListRoute(app: FastifyInstance, { database }: { database: Sql }): void {
  addList(app, 'GET /texts', LIST_TEXTS, textResource, async ({ query }, { scope }) => {
    const filter = {
      ...timeRange(query),
      sessionId: await sessionFilter(database, scope, query.checkout_session_id),
      recipients: await callerFilter(database, scope, query.caller_phone),
      undelivered: query.undelivered !== undefined,
      chargeId: query.charge === undefined ? null : await requireChargeInScope(database, scope, query.charge),
    };
    return listTexts(database, scope, filter, pageRequest(query));
  });
}
