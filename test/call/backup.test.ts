/**
 * Backup and restore, by the commands of the page "Operating Ringkey": `pg_dump` of a running service, `pg_restore` into
 * an empty database. The service on the restored database has an empty Redis.
 */
import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EVENT_TYPES } from '../../src/db/events/events.ts';
import { codeOf } from '../../src/http/docs/pages.ts';
import { DEMO_ACCOUNT, DEMO_KEY } from '../../src/local/standalone/demo-data.ts';
import { type DebianPostgres, startDebianPostgres } from '../support/debian-postgres.ts';
import { verifyOutcomeHeaders } from '../support/outcome-headers.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { runCommand } from '../support/run-command.ts';
import { cardKeys } from '../support/sipp-calls.ts';
import { TestCaller } from '../support/test-caller.ts';

vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

type Fields = Record<string, unknown>;

const CALLER = '+15550101399';
const CHECKOUT = { merchant_id: 'mer_demo_diner', amount_cents: 4_250, caller_phone: CALLER };
const IDEMPOTENCY_KEY = { 'idempotency-key': 'charge-before-the-backup' };
const MISSING_KEY = 'RINGKEY_ENCRYPTION_KEYS lacks a key';
const KEYS = randomBytes(32).toString('base64');
/** Nothing is seeded at the start, and the demo's key does not work: all that is there was in the backup. */
const WITHOUT_DEMO = { RINGKEY_DEMO: 'off', RINGKEY_PRIVATE_TARGETS: 'on', RINGKEY_RETURN_ALLOWED: '127.0.0.0/8' };
const settingsOn = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  RINGKEY_DATABASE_DIRECT_URL: '',
  RINGKEY_ENCRYPTION_KEYS: KEYS,
});

/** A webhook endpoint. Events by ID; a wrong signature is answered with 400. */
const received = new Map<string, string>();
let webhookSecret = '';
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const id = String(request.headers['webhook-id']);
    try {
      new Webhook(webhookSecret).verify(Buffer.concat(chunks).toString(), request.headers as Record<string, string>);
      received.set(id, 'verified');
      response.writeHead(204).end();
    } catch (error) {
      received.set(id, String(error));
      response.writeHead(400).end();
    }
  });
});

let postgres: DebianPostgres;
let original: TestProduct;
let restored: TestProduct;
let payer: TestCaller;
let lost: TestCaller;

/** Made on the original database. */
const made = { key: '', card: '', headerSecret: '', paidSession: '', openSession: '' };
let charge: Fields;
/** Read from the original service at the time of the backup. */
let lists: Fields;
let eventIds: string[];
/** Read from the restored service when it has started. */
let restoredLists: Fields;

async function ask(
  of: TestProduct,
  path: string,
  body?: Fields,
  headers: Record<string, string> = {},
): Promise<Fields> {
  const response = await fetch(`${of.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${made.key || DEMO_KEY}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as Fields;
}

const listsOf = async (product: TestProduct) => ({
  ...(await ask(product, '/v1/charges')),
  ...(await ask(product, `/v1/cards?merchant_id=${CHECKOUT.merchant_id}&caller_phone=${encodeURIComponent(CALLER)}`)),
  ...(await ask(product, '/v1/merchants')),
  ...(await ask(product, '/v1/webhook_endpoints')),
});

async function idsOfEvents(product: TestProduct): Promise<string[]> {
  const { events } = (await ask(product, '/v1/events')) as { events: { id: string }[] };
  return events.map(({ id }) => id);
}

const createSession = async (product: TestProduct): Promise<string> =>
  String((await ask(product, '/v1/create_checkout', CHECKOUT)).checkout_session_id);

const chargeCard = (product: TestProduct, session: string, headers?: Record<string, string>) =>
  ask(product, '/v1/charge', { checkout_session_id: session, instrument_id: made.card }, headers);

async function useOriginal(): Promise<void> {
  made.key = String((await ask(original, '/v1/keys', { name: 'Before the backup' })).key);
  const settings = { DATABASE_URL: postgres.urlOf('original'), RINGKEY_ENCRYPTION_KEYS: KEYS };
  const rolled = await runCommand(`account roll-secret ${DEMO_ACCOUNT} --json`, settings);
  made.headerSecret = String(JSON.parse(rolled.out).header_signing_secret);
  const { port } = receiver.address() as AddressInfo;
  const endpoint = { url: `http://127.0.0.1:${port}/`, events: [...EVENT_TYPES] };
  webhookSecret = String((await ask(original, '/v1/webhook_endpoints', endpoint)).signing_secret);
  const card = { merchant_id: CHECKOUT.merchant_id, caller_phone: CALLER, token: 'tok_visa' };
  made.card = String((await ask(original, '/v1/cards', card)).instrument_id);
  made.paidSession = await createSession(original);
  made.openSession = await createSession(original);
  charge = await chargeCard(original, made.paidSession, IDEMPOTENCY_KEY);
}

beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  postgres = await startDebianPostgres();
  await postgres.run('createdb original');
  // Without a worker, so that no webhook is sent.
  original = await startProduct({ ...settingsOn(postgres.urlOf('original')), RINGKEY_ROLES: 'phone,api' });
  await useOriginal();
  // A caller who has not dialed yet, and one who is on the line.
  const fields = { ...CHECKOUT, caller_phone: '+15550101398' };
  [payer, lost] = [await TestCaller.create(original, { fields }), await TestCaller.create(original, { fields })];
  await lost.dial();
  await lost.waitForSentence(/enter your card number/);
  [lists, eventIds] = [await listsOf(original), await idsOfEvents(original)];

  await postgres.run(codeOf('operating', 'backup'), { DATABASE_URL: postgres.urlOf('original') });
  await lost.hangUp();
  await original.stop();
  await postgres.run(codeOf('operating', 'restore'));
  // The payer dials the address from before the backup.
  const line = { RINGKEY_SIP_PORT: String(original.config.RINGKEY_SIP_PORT), RINGKEY_MEDIA_DIR: original.speechFolder };
  restored = await startProduct({ ...settingsOn(postgres.urlOf('ringkey')), ...WITHOUT_DEMO, ...line });
  restoredLists = await listsOf(restored);
});

afterAll(async () => {
  for (const caller of [payer, lost]) await caller?.close();
  await original?.close();
  await restored?.close();
  await postgres?.close();
  receiver.closeAllConnections();
  receiver.close();
});

test('a restored service has the charges, cards, merchants, keys and endpoints of the backup', async () => {
  expect(restoredLists).toEqual(lists);
  expect(lists).toMatchObject({ charges: [{ charge_id: charge.charge_id, status: 'succeeded' }] });
});

test('a restored service delivers the webhooks that were waiting, signed with the secret from before', async () => {
  expect(eventIds).not.toEqual([]);
  expect(await idsOfEvents(restored)).toEqual(expect.arrayContaining(eventIds));
  await expect.poll(() => eventIds.map((id) => received.get(id))).toEqual(eventIds.map(() => 'verified'));
});

test('a request that is repeated after a restore gets its response from before, and charges nothing', async () => {
  const repeated = await chargeCard(restored, made.paidSession, IDEMPOTENCY_KEY);
  expect(repeated).toMatchObject({ charge_id: charge.charge_id, status: 'succeeded' });
});

test('a charge from before a restore can be refunded', async () => {
  const refund = await ask(restored, '/v1/refunds', { charge: charge.charge_id });
  expect(refund).toMatchObject({ status: 'succeeded', amount_cents: CHECKOUT.amount_cents });
});

test('a card that was saved before a restore can be charged', async () => {
  expect(await chargeCard(restored, made.openSession)).toMatchObject({ status: 'succeeded' });
});

test('a service without the encryption keys of its database says so when it starts', async () => {
  const log = restored.output();
  expect(log).not.toContain(MISSING_KEY);
  const settings = {
    ...settingsOn(postgres.urlOf('ringkey')),
    ...WITHOUT_DEMO,
    RINGKEY_ROLES: 'api',
    RINGKEY_SYNTHESIZER: 'none',
  };
  const other = await startProduct({ ...settings, RINGKEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64') });
  await other.close();
  expect(other.output()).toContain(MISSING_KEY);
});

test('a call that was live at the time of the backup has ended after the restore', async () => {
  const calls = () => ask(restored, `/v1/calls?checkout_session_id=${lost.checkout.id}`);
  await expect.poll(calls).toMatchObject({ calls: [{ status: 'ended', outcome: 'failed', reason: 'error' }] });
});

test('a caller pays for a session from before a restore, and the agent gets headers with the signature from before', async () => {
  await payer.dial();
  await payer.waitForSentence(/enter your card number/);
  await payer.press(cardKeys('visa'));
  const headers = await payer.outcomeHeadersAfterCall();
  expect(headers['X-Ringkey-Outcome']).toBe('succeeded');
  expect(verifyOutcomeHeaders(headers, made.headerSecret, new Date())).toBe(true);
});
