/** `/v1/checkout_sessions`: the list, and one session with its charge. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { tokenizationFor } from '../../../accounts/merchants/processor.ts';
import { sessionIdOf, sessionNotFound } from '../../../checkout/charge.ts';
import { ofOtherMode } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { SessionTotalsResource, sessionTotalsResource } from '../../../contract/list-totals.ts';
import { ListedSessionResource, listedSessionResource } from '../../../contract/listed-sessions.ts';
import { CheckoutSessionResource, checkoutSessionResource } from '../../../contract/session-resource.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import type { Checkouts } from '../../../db/sessions/batched-checkouts.ts';
import { listSessions, type SessionFilter } from '../../../db/sessions/session-lists.ts';
import { readSessionTotals } from '../../../db/sessions/session-totals.ts';
import type { Scope } from '../../../domain/account.ts';
import type { CheckoutSessionId } from '../../../domain/ids.ts';
import { SESSION_STATUSES } from '../../../domain/session.ts';
import type { Vault } from '../../../lib/vault/vault.ts';
import type { Processor } from '../../../payments/port/processor.ts';
import { paymentFilter, paymentFilters } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { errorContext } from '../plugins/errors.ts';
import { addOperation, type Operation } from '../reference/operation.ts';
import type { SessionWaits } from '../session-waits.ts';
import { OPEN_SESSION } from './create-checkout.ts';

const SessionFilters = z.object({
  ...paymentFilters('Only sessions with a charge of a card with these last four digits, successful or declined.'),
  status: field(
    z.enum(SESSION_STATUSES).optional(),
    'Only sessions with this `session_status`. A session that has just expired is found as `expired` within seconds.',
    'complete',
  ),
});

const ListSessionsQuery = PageQuery.extend(SessionFilters.shape);

const LIST_CHECKOUT_SESSIONS = {
  id: 'list_checkout_sessions',
  limited: 'read',
  group: 'Checkout',
  summary: 'List checkout sessions',
  description: `Lists sessions, newest first. If you send several filters, all of them must match. For cards, screening and the data
for a pay page, use \`retrieve_checkout_session\`. \`starting_after\` is a \`checkout_session_id\`.`,
  query: ListSessionsQuery,
  response: listOf('checkout_sessions', ListedSessionResource),
  errors: ['merchant_not_found'],
  example: { query: { status: 'open', merchant_id: 'mer_demo_diner', limit: '5' } },
} satisfies ListOperation;

const RETRIEVE_CHECKOUT_SESSION_TOTALS = {
  id: 'retrieve_checkout_session_totals',
  limited: 'read',
  group: 'Checkout',
  summary: 'Retrieve totals of checkout sessions',
  description: `Counts the sessions that match the filters of \`list_checkout_sessions\`, and sums their amounts, by currency. A
session counts at the time it was created.`,
  query: SessionFilters,
  response: SessionTotalsResource,
  answers: 'The counts and sums by currency.',
  errors: ['merchant_not_found'],
  example: { query: { created_after: '2026-11-01T00:00:00Z', merchant_id: 'mer_demo_diner' } },
} satisfies Operation;

const MAX_WAIT_SECONDS = 60;

const RetrieveSessionQuery = z.object({
  wait: field(
    z
      .string()
      .refine((value) => /^[1-9]\d?$/.test(value) && Number(value) <= MAX_WAIT_SECONDS, {
        error: `must be an integer from 1 to ${MAX_WAIT_SECONDS}`,
      })
      .transform(Number)
      .optional(),
    'Seconds to wait for a change of `session_status`, `charge` or `agent_message`, 1 to 60. Without it, the answer comes at once.',
  ).meta({ type: 'integer', minimum: 1, maximum: MAX_WAIT_SECONDS, examples: [30] }),
});

const RETRIEVE_CHECKOUT_SESSION = {
  id: 'retrieve_checkout_session',
  limited: 'read',
  group: 'Checkout',
  scope: 'agent',
  summary: 'Retrieve a checkout session',
  description: `Returns a session and its charge. A declined charge does not make this request fail: the answer is 200 with a failed
charge, and its \`failure\` is the error object of the charge operation.

- \`charge\` is the pending or succeeded charge. Otherwise it is the last failed one, or null before the first
charge.
- \`cards\` is empty if nothing is due, if the session is paid or expired, or if \`screen.decision\` is \`step_up\`.
- \`screen\` is what screening (\`/docs/screening\`) found about the caller, for your records. Never speak it.
- \`agent_message\` is what the agent says about the outcome, in the caller's language. After the call, each outcome has
one: paid, declined, nothing entered, hung up, the link was texted.
- With \`wait\`, the answer comes when the session changes, for agents that receive no webhooks. It also comes after that
many seconds, at once for a session that is \`complete\` or \`expired\`, and early during a shutdown: send the request
again while there is nothing new. Changes before the request count as old, so compare the answer with the one before. An
account can have up to 500 such requests in a process. More return \`rate_limit\`.
- For a session of another account, returns \`session_not_found\`. For a session of the other mode, returns
\`invalid_key\`.`,
  params: z.object({ checkout_session_id: FIELDS.checkout_session_id }),
  query: RetrieveSessionQuery,
  response: CheckoutSessionResource,
  answers: 'The session in its current state.',
  errors: ['session_not_found'],
  example: { needs: [OPEN_SESSION], params: { checkout_session_id: '$SESSION' } },
} satisfies Operation;

interface CheckoutSessionDeps {
  database: Database;
  checkouts: Pick<Checkouts, 'read'>;
  waits: SessionWaits;
  processors: readonly Processor[];
  vault: Vault | null;
  /** RINGKEY_SAVED_CARDS: whether saved cards are offered. The default is true. */
  savedCards?: boolean;
}

export function checkoutSessionRoutes(app: FastifyInstance, deps: CheckoutSessionDeps): void {
  const one = 'GET /checkout_sessions/:checkout_session_id';
  addOperation(app, one, RETRIEVE_CHECKOUT_SESSION, async ({ params, query }, request, reply) => {
    const sessionId = sessionIdOf(params.checkout_session_id);
    const read = () => readSession(deps, sessionId, request);
    if (query.wait === undefined) return read();
    request.waitsMs = query.wait * 1_000;
    const { accountId } = request.scope;
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const { waitsMs: waitMs } = request;
    return deps.waits.wait({ accountId, sessionId, waitMs, gone: gone.signal, read, isFinal, isChanged });
  });

  const list = 'GET /checkout_sessions';
  addList(app, list, LIST_CHECKOUT_SESSIONS, listedSessionResource, async ({ query }, { scope }) =>
    listSessions(deps.database, scope, await sessionFilter(deps.database, scope, query), pageRequest(query)),
  );

  const totals = 'GET /checkout_sessions/totals';
  addOperation(app, totals, RETRIEVE_CHECKOUT_SESSION_TOTALS, async ({ query }, { scope }) =>
    sessionTotalsResource(
      await readSessionTotals(deps.database, scope, await sessionFilter(deps.database, scope, query)),
    ),
  );
}

async function sessionFilter(sql: Sql, scope: Scope, query: z.infer<typeof SessionFilters>): Promise<SessionFilter> {
  return { ...(await paymentFilter(sql, scope, query)), status: query.status ?? null };
}

/** @throws ApiError `session_not_found`; `invalid_key` for a session of the other mode */
async function readSession(
  deps: CheckoutSessionDeps,
  id: CheckoutSessionId,
  request: FastifyRequest,
): Promise<CheckoutSessionResource> {
  const { accountId, mode } = request.scope;
  const reading = await deps.checkouts.read({ accountId, id });
  if (reading === null) throw sessionNotFound();
  if (reading.session.mode !== mode) throw ofOtherMode(mode);
  const tokenization = tokenizationFor(deps, reading);
  const { savedCards = true } = deps;
  const { screen } = reading;
  const context = { environment: mode, tokenization, savedCards, screen, ...errorContext(request) };
  return checkoutSessionResource(reading, context);
}

/** An expired session can change once more, by a late success, but no caller waits for that. */
const isFinal = ({ session_status }: CheckoutSessionResource): boolean => session_status !== 'open';

/** A caller who has just reached the payment line is no news: `agent_message` is then null. */
function isChanged(last: CheckoutSessionResource, now: CheckoutSessionResource): boolean {
  const facts = ({ session_status, charge }: CheckoutSessionResource) =>
    [session_status, charge?.charge_id, charge?.status].join();
  if (facts(last) !== facts(now)) return true;
  return now.agent_message !== null && last.agent_message !== now.agent_message;
}
