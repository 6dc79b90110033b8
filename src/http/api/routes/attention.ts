/** `/v1/attention_items`: what needs a person, and marking it as done or quiet. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type AttentionMark, markAttention } from '../../../attention/mark.ts';
import { sweepAttention } from '../../../attention/sweep.ts';
import { AttentionItemResource, attentionItemResource } from '../../../contract/attention.ts';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import { findAttentionItem, listAttentionItems } from '../../../db/attention/attention-items.ts';
import type { Database } from '../../../db/pool.ts';
import type { AccountLimits } from '../../../domain/account-limits.ts';
import { ATTENTION_STATUSES, type AttentionItem } from '../../../domain/attention.ts';
import { parseId } from '../../../domain/ids.ts';
import { principalInProcess } from '../in-process.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';

const HOUR_MS = 3_600_000;
const MAX_QUIET_HOURS = 30 * 24;

const ListQuery = PageQuery.extend({
  status: field(
    z.enum(ATTENTION_STATUSES).default('open'),
    '`open`, the default: needs attention. `set_aside`: marked as done, or quiet for now. `closed`: the cause is gone; kept for 90 days.',
    'open',
  ),
});

const LIST_ATTENTION_ITEMS = {
  id: 'list_attention_items',
  limited: 'read',
  group: 'Attention',
  summary: 'List attention items',
  description: `Lists problems that need a person, newest first: charges and refunds to settle, charges that were paid late or twice,
processors that refuse charges or are slow, a success rate of hours or days far below the usual one, webhook endpoints that
fail, texts that were not delivered, limits that are nearly reached, API keys about to expire, and missing parts of the
service. An item is opened once for each cause, and closes by itself when the cause is gone. \`starting_after\` is an
\`attention_item_id\`.`,
  query: ListQuery,
  response: listOf('attention_items', AttentionItemResource),
  errors: [],
  example: { query: { status: 'open', limit: '5' } },
} satisfies ListOperation;

const item = (status: string): Need => ({
  name: 'ITEM',
  operation: 'list_attention_items',
  field: 'attention_items.0.attention_item_id',
  query: { status, limit: '1' },
});

const ItemParams = z.object({
  id: field(z.string(), 'The item, `att_…`.', 'att_fcat7k2m9vqx4hdw6znt3cbyj8'),
});

const MARK = {
  group: 'Attention',
  role: 'support',
  limited: { object: 'attention_items', field: 'id' },
  params: ItemParams,
  response: AttentionItemResource,
  answers: 'The item, as it is now.',
  errors: ['not_found'],
} as const;

const FINISH_ATTENTION_ITEM = {
  ...MARK,
  id: 'finish_attention_item',
  summary: 'Mark an attention item as done',
  description: `Sets the item aside until a newer cause of the same kind follows. A late charge is also acknowledged, as with
\`acknowledge_charge\`. Affects only your account. The audit trail shows who did it.`,
  example: { needs: [item('open')], params: { id: '$ITEM' } },
} satisfies Operation;

const QuietRequest = z.object({
  hours: field(
    z.int().min(1).max(MAX_QUIET_HOURS),
    `The number of hours, 1 to ${MAX_QUIET_HOURS} (30 days). Then the item is shown again, if its cause is still there.`,
    24,
  ),
});

const QUIET_ATTENTION_ITEM = {
  ...MARK,
  id: 'quiet_attention_item',
  summary: 'Quiet an attention item',
  description: `Sets the item aside for some hours. Affects only your account. The audit trail shows who did it.`,
  request: QuietRequest,
  example: {
    needs: [item('open')],
    params: { id: '$ITEM' },
    body: { hours: 24 },
  },
} satisfies Operation;

const REOPEN_ATTENTION_ITEM = {
  ...MARK,
  id: 'reopen_attention_item',
  summary: 'Show an attention item again',
  description: 'Undoes `finish_attention_item` and `quiet_attention_item`. An acknowledged charge stays acknowledged.',
  example: { needs: [item('set_aside')], params: { id: '$ITEM' } },
} satisfies Operation;

/** In English with days in UTC, but for the dashboard in its user's language and the account's time zone. */
const shownItem = (item: AttentionItem) => attentionItemResource(item, principalInProcess() ?? {});

interface AttentionDeps {
  database: Database;
  accountLimits?: AccountLimits;
  /** The sweep looks at all rows, because it closes what it does not find. */
  sweepsIn: Database;
}

export function attentionRoutes(app: FastifyInstance, { database, sweepsIn, accountLimits }: AttentionDeps): void {
  addList(app, 'GET /attention_items', LIST_ATTENTION_ITEMS, shownItem, async ({ query }, request) => {
    const { scope, log } = request;
    // The list works without it, and shows what the worker has found.
    await sweepAttention(sweepsIn, scope, accountLimits).catch((error: unknown) =>
      log.warn({ err: error }, 'attention items could not be refreshed'),
    );
    return listAttentionItems(database, scope, query.status, pageRequest(query));
  });

  const mark = async (request: FastifyRequest, { id }: { id: string }, read: () => AttentionMark) => {
    const { scope, actor } = request;
    const found = await requireItem(database, request, id);
    await markAttention(database, actor, scope, found, read());
    return shownItem(await requireItem(database, request, id));
  };
  addOperation(app, 'POST /attention_items/:id/finish', FINISH_ATTENTION_ITEM, ({ params }, request) =>
    mark(request, params, () => 'done'),
  );
  addOperation(app, 'POST /attention_items/:id/quiet', QUIET_ATTENTION_ITEM, (input, request) =>
    mark(request, input.params, () => ({ quietUntil: new Date(Date.now() + input.body.hours * HOUR_MS) })),
  );
  addOperation(app, 'POST /attention_items/:id/reopen', REOPEN_ATTENTION_ITEM, ({ params }, request) =>
    mark(request, params, () => null),
  );
}

/** @throws ApiError `not_found`, also for an item of the other mode or of another account */
async function requireItem(sql: Database, { scope }: FastifyRequest, text: string): Promise<AttentionItem> {
  const id = parseId('AttentionItem', text);
  const found = id === null ? null : await findAttentionItem(sql, scope, id);
  if (found !== null) return found;
  throw new ApiError('not_found', { message: 'There is no such attention item.' });
}
