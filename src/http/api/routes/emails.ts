/** `GET /v1/emails`: the receipts by email. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { requireChargeInScope } from '../../../checkout/refund.ts';
import { EmailResource, emailResource } from '../../../contract/emails.ts';
import { field } from '../../../contract/fields.ts';
import { listEmails } from '../../../db/emails/email-lists.ts';
import type { Sql } from '../../../db/pool.ts';
import { EMAIL_STATUSES } from '../../../domain/emails.ts';
import { SESSION_FILTER, sessionFilter, TIME_FILTERS, timeRange } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { anyId } from '../text-schemas.ts';

const ListEmailsQuery = PageQuery.extend({
  ...TIME_FILTERS,
  checkout_session_id: SESSION_FILTER,
  charge: field(
    anyId.optional(),
    'Only emails about the charge with this `charge_id`.',
    'ch_x6ueh4kxj94cewxy97eft8edv6',
  ),
  status: field(z.enum(EMAIL_STATUSES).optional(), 'Only emails with this status.', 'failed'),
  undelivered: field(
    z.enum(['true']).optional(),
    '`true`: only emails that should have been sent and were not: those with the status `failed`, without `caller_erased` and `replaced`.',
    'true',
  ),
});

const LIST_EMAILS = {
  id: 'list_emails',
  limited: 'read',
  group: 'Texts',
  summary: 'List emails',
  description: `Lists the receipts by email, newest first. Addresses are masked. Emails are kept for 90 days. \`starting_after\`
is an \`email_id\`.`,
  query: ListEmailsQuery,
  response: listOf('emails', EmailResource),
  errors: ['session_not_found', 'not_found'],
  example: { query: { limit: '5' } },
} satisfies ListOperation;

export function emailListRoute(app: FastifyInstance, { database }: { database: Sql }): void {
  addList(app, 'GET /emails', LIST_EMAILS, emailResource, async ({ query }, { scope }) => {
    const filter = {
      ...timeRange(query),
      sessionId: await sessionFilter(database, scope, query.checkout_session_id),
      chargeId: query.charge === undefined ? null : await requireChargeInScope(database, scope, query.charge),
      status: query.status ?? null,
      undelivered: query.undelivered !== undefined,
    };
    return listEmails(database, scope, filter, pageRequest(query));
  });
}
