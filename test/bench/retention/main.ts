/**
 * `npm run bench:retention [-- --calls 2000]`: measures the pruning of old rows on a durable PostgreSQL. Inserts the
 * rows of this many paid calls, each with a request, a receipt and webhooks, makes them old and prunes them. Prints the
 * calls per second and the target; asserts nothing.
 */
import { parseArgs } from 'node:util';
import { EVENT_TYPES } from '../../../src/db/events/events.ts';
import type { Database } from '../../../src/db/pool.ts';
import { createPruner } from '../../../src/db/prune.ts';
import { insertRequests } from '../../../src/db/requests/requests.ts';
import { insertWebhookEndpoint } from '../../../src/db/webhooks/webhook-endpoints.ts';
import { type CheckoutSessionId, newId } from '../../../src/domain/ids.ts';
import { relayBatch } from '../../../src/notifications/outbox/relay.ts';
import { table } from '../call/figures.ts';
import { charge, chargeDeps, onDatabase, openSessions, SCOPE } from '../charge/charges.ts';

/** Rate of new rows during pruning, and how many times faster pruning should be. */
const CALLS_A_SECOND = 20;
const AIM_TIMES = 10;
const KEPT_DAYS = 400;
const NEVER = new AbortController().signal;
const QUIET = { info: () => undefined, warn: () => undefined };
/** The tables to which a call adds rows, with the column of their age. */
const AGES = {
  checkout_sessions: 'created_at',
  calls: 'ended_at',
  charges: 'created_at',
  events: 'created_at',
  webhook_deliveries: 'created_at',
  texts: 'created_at',
  requests: 'created_at',
};

/** Half of the calls end without a payment: their sessions are deleted, the others are cleared. */
async function writeCalls(database: Database, calls: number): Promise<void> {
  const endpoint = { id: newId('WebhookEndpoint'), url: 'https://example.com', events: [...EVENT_TYPES] };
  await insertWebhookEndpoint(database, SCOPE, { ...endpoint, signingSecret: 'x' }, 1);
  const sessions = await openSessions(database, calls);
  const deps = chargeDeps(database);
  for (const [at, sessionId] of sessions.entries()) if (at % 2 === 0) await charge(deps, sessionId);
  await insertRequests(database, sessions.map(requestOf));
  await database.query(
    `insert into calls (id, account_id, mode, session_id, merchant_id, instance, lease_id, sip_call_id, sip_dialogs,
       source_address, ended_at)
     select 'call_' || id, account_id, mode, id, merchant_id, 'bench', 1, id, '{}', '192.0.2.1', now()
       from checkout_sessions`,
  );
  while ((await relayBatch({ database, docsUrl: 'https://docs.example.com' })).more);
  await database.query(`update webhook_deliveries set status = 'delivered'`);
  await database.query(`update texts set status = 'sent'`);
  await database.query(`update checkout_sessions set status = 'expired' where status = 'open'`);
}

const requestOf = (sessionId: CheckoutSessionId) => ({
  ...SCOPE,
  id: newId('Request'),
  method: 'POST',
  route: '/v1/create_checkout',
  path: '/v1/create_checkout',
  status: 200,
  code: null,
  param: null,
  durationMs: 5,
  keyId: null,
  source: '192.0.2.1',
  requestBody: '{}',
  answerBody: JSON.stringify({ checkout_session_id: sessionId }),
  createdAt: new Date(),
});

/** @returns how many rows there are in all these tables */
async function makeOld(database: Database): Promise<number> {
  let rows = 0;
  for (const [name, age] of Object.entries(AGES)) {
    const { rowCount } = await database.query(`update ${name} set ${age} = ${age} - interval '500 days'`);
    rows += rowCount ?? 0;
    await database.query(`analyze ${name}`);
  }
  return rows;
}

async function measure(database: Database, calls: number): Promise<void> {
  console.error(`writing ${calls} calls …`);
  await writeCalls(database, calls);
  const written = await makeOld(database);
  console.error(`pruning ${written} rows …`);
  const startedAt = performance.now();
  const { pruned } = await createPruner(database, QUIET, { sessionDays: KEPT_DAYS }).run(NEVER);
  const seconds = (performance.now() - startedAt) / 1_000;
  const gone = Object.values(pruned).reduce((sum, rows) => sum + rows, 0);
  const times = calls / seconds / CALLS_A_SECOND;
  const rows = [
    ['', 'rows', 'a second'],
    [`written by ${CALLS_A_SECOND} calls a second`, String(written), ((CALLS_A_SECOND * written) / calls).toFixed(0)],
    ['deleted or cleared', String(gone), (gone / seconds).toFixed(0)],
    ['calls whose rows are pruned', String(calls), (calls / seconds).toFixed(0)],
  ];
  console.log(`\n${table(rows)}\n`);
  const result = times >= AIM_TIMES ? 'met' : 'MISSED';
  console.log(`  as fast as written: ${times.toFixed(1)} times, aim ≥ ${AIM_TIMES}: ${result}\n`);
}

const { values } = parseArgs({ options: { calls: { type: 'string', default: '2000' } } });
const calls = Number(values.calls);
if (!Number.isInteger(calls) || calls < 100) throw new Error(`--calls ${values.calls}: not possible`);
await onDatabase((database) => measure(database, calls));
