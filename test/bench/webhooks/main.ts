/**
 * `npm run bench:webhooks`: measures the time from an event's commit to its first delivery attempt, and deliveries per
 * second, with one endpoint that never answers and has a queue; and the deliveries to a slow and to an unreliable
 * endpoint. Prints figures and targets; asserts nothing. The worker runs in this process, with private PostgreSQL
 * (durable) and Redis; the endpoints are another process.
 */
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Database, openDatabase } from '../../../src/db/pool.ts';
import { insertWebhookEndpoint } from '../../../src/db/webhooks/webhook-endpoints.ts';
import { newId } from '../../../src/domain/ids.ts';
import { newSigningSecret } from '../../../src/lib/http-client/signature.ts';
import { createVault, type Vault } from '../../../src/lib/vault/vault.ts';
import { startServers } from '../../../src/local/standalone/servers/index.ts';
import { type Notifier, startNotifier } from '../../../src/notifications/outbox/notifier.ts';
import { createOutboxNotify } from '../../../src/notifications/outbox/notify.ts';
import { createLogCarrier } from '../../../src/notifications/sms/log/carrier.ts';
import { webhookSecretContext } from '../../../src/notifications/webhooks/endpoints.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';
import type { ReceiverAnswer } from './receiver.ts';

const HEALTHY = 32;
const QUEUED = 1_000;
const SINGLES = 300;
const SINGLES_A_SECOND = 50;
const BURST = 1_000;
const MANY = 10_000;
const LIMIT_MS = 120_000;
const TO_ONE = 1_500;
const AIMS = { firstAttemptMs: 250, perSecond: 500, slow: 60, unreliable: 100 };

interface Account {
  accountId: string;
  sessionId: string;
}

class Bench {
  readonly #database: Database;
  readonly #receiver: ChildProcess;
  readonly #vault: Vault;
  readonly #receivedAt = new Map<string, number>();
  readonly #notify: () => void;

  constructor(database: Database, receiver: ChildProcess, vault: Vault) {
    this.#database = database;
    this.#receiver = receiver;
    this.#vault = vault;
    this.#notify = createOutboxNotify(database, { warn: console.error });
    receiver.on('message', (answer: ReceiverAnswer) => {
      if (!('received' in answer)) return;
      for (const [id, at] of answer.received) if (!this.#receivedAt.has(id)) this.#receivedAt.set(id, at);
    });
  }

  async run(port: number): Promise<void> {
    const hanging = await this.#account(`http://127.0.0.1:${port}/hang`);
    const healthy: Account[] = [];
    for (let at = 0; at < HEALTHY; at += 1) healthy.push(await this.#account(`http://127.0.0.1:${port}/${at}`));
    await this.#received(await this.#say([hanging], QUEUED), 1);
    console.log(`${QUEUED} events wait for an endpoint that never answers; ${HEALTHY} others do.\n`);

    await this.#received(await this.#say(healthy, HEALTHY * 20), HEALTHY * 20);
    const singles: [string, number][] = [];
    for (let at = 0; at < SINGLES; at += 1) {
      const account = healthy[at % HEALTHY];
      const [id = ''] = account === undefined ? [] : await this.#say([account], 1);
      singles.push([id, Date.now()]);
      await delay(1_000 / SINGLES_A_SECOND);
    }
    await this.#showWaits(`${SINGLES_A_SECOND} per second`, singles);

    const burst = await this.#say(healthy, BURST);
    const at = Date.now();
    await this.#showWaits(
      `${BURST} in one commit`,
      burst.map((id) => [id, at]),
    );

    await this.#showRate(`${MANY} events to ${HEALTHY} endpoints`, healthy, MANY, AIMS.perSecond);
    const slow = await this.#account(`http://127.0.0.1:${port}/slow`);
    await this.#showRate(`${TO_ONE} events to one that takes 200 ms`, [slow], TO_ONE, AIMS.slow);
    const unreliable = await this.#account(`http://127.0.0.1:${port}/unreliable`);
    await this.#showRate(`${TO_ONE} events to one that refuses 3 in 100`, [unreliable], TO_ONE, AIMS.unreliable);
  }

  async #showRate(name: string, accounts: readonly Account[], count: number, aim: number): Promise<void> {
    const [startedAt, cpuBefore] = [Date.now(), process.cpuUsage()];
    const ids = await this.#say(accounts, count);
    await this.#received(ids, count);
    const lastAt = Math.max(...ids.map((id) => this.#receivedAt.get(id) ?? 0));
    const perSecond = count / ((lastAt - startedAt) / 1_000);
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpuMs = (user + system) / 1_000 / count;
    console.log(
      `${name}: ${perSecond.toFixed(0)} per second, first commit to last receipt (aim ${aim}), ${cpuMs.toFixed(2)} ms CPU of the worker each`,
    );
  }

  /** Inserts events like a payment's, spread over the accounts, in one commit, followed by the outbox notify. */
  async #say(accounts: readonly Account[], count: number): Promise<string[]> {
    const ids = await this.#commit(accounts, count);
    this.#notify();
    return ids;
  }

  async #account(url: string): Promise<Account> {
    const merchant = await createTestMerchant(this.#database);
    const id = newId('WebhookEndpoint');
    const signingSecret = this.#vault.seal(newSigningSecret(), webhookSecretContext(id));
    await insertWebhookEndpoint(
      this.#database,
      merchant,
      { id, url, events: ['checkout.succeeded'], signingSecret },
      1,
    );
    return { accountId: merchant.accountId, sessionId: await createTestSession(this.#database, merchant) };
  }

  async #commit(accounts: readonly Account[], count: number): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId('Event') as string);
    const of = (field: keyof Account) => ids.map((_id, at) => accounts[at % accounts.length]?.[field]);
    await this.#database.query(
      `insert into events (id, account_id, mode, type, session_id, facts)
       select id, account_id, 'test', 'checkout.succeeded', session_id,
              '{"session_status": "complete", "outcome": "succeeded", "charge": null}'
         from unnest($1::text[], $2::text[], $3::text[]) as e (id, account_id, session_id)`,
      [ids, of('accountId'), of('sessionId')],
    );
    return ids;
  }

  async #received(ids: readonly string[], count: number): Promise<void> {
    const deadline = Date.now() + LIMIT_MS;
    while (ids.filter((id) => this.#receivedAt.has(id)).length < count) {
      if (Date.now() > deadline) throw new Error('the events did not arrive in time');
      this.#receiver.send('what came?');
      await delay(20);
    }
  }

  async #showWaits(name: string, said: readonly [id: string, at: number][]): Promise<void> {
    await this.#received(
      said.map(([id]) => id),
      said.length,
    );
    const waits = said.map(([id, at]) => (this.#receivedAt.get(id) ?? 0) - at).sort((a, b) => a - b);
    const [p50, p95, max] = [0.5, 0.95, 1].map((part) => waits[Math.ceil(part * waits.length) - 1]);
    console.log(
      `commit to first attempt, ${name}: p50 ${p50} ms, p95 ${p95} ms, max ${max} ms (aim p50 ${AIMS.firstAttemptMs} ms)`,
    );
  }
}

const home = mkdtempSync(join(tmpdir(), 'ringkey-bench-webhooks-'));
// The servers' user must be able to enter this folder.
chmodSync(home, 0o711);
const servers = await startServers({ home, postgresPort: 0, redisPort: 0, durable: true, redisDatabases: 1 });
const receiver = fork(new URL('./receiver.js', import.meta.url));
let notifier: Notifier | undefined;
let database: Database | undefined;
try {
  const [{ port }] = (await once(receiver, 'message')) as [{ port: number }];
  const [databaseUrl, redisUrl] = [servers.postgres?.url ?? '', servers.redis?.url ?? ''];
  // The product's own command, because the benches' folder has no SQL.
  await promisify(execFile)(
    process.execPath,
    [fileURLToPath(new URL('../../../../main.js', import.meta.url)), 'migrate'],
    {
      env: { ...process.env, DATABASE_URL: databaseUrl },
    },
  );
  // At the end the server breaks connections that the pool has not closed yet.
  const onIdleError = () => undefined;
  database = openDatabase({ url: databaseUrl, maxConnections: 20, onIdleError });
  const vault = createVault([randomBytes(32)]);
  const log = { info: () => undefined, warn: console.error, error: console.error };
  const carrier = createLogCarrier(log, false);
  const docsUrl = 'https://docs.example.com';
  notifier = startNotifier({
    database,
    databaseUrl,
    redisUrl,
    vault,
    docsUrl,
    privateTargets: true,
    carrier,
    testCarrier: carrier,
    log,
  });
  await new Bench(database, receiver, vault).run(port);
} finally {
  await notifier?.close();
  await database?.close();
  receiver.disconnect();
  await servers.stop();
  for (const folder of [home, servers.place.directory]) rmSync(folder, { recursive: true, force: true });
}
