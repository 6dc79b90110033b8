/** Prepares the bench of the pay page: sessions to text about, one page, and the floor beside the product. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DATABASE_CONNECTIONS } from '../../../src/config/service-settings.ts';
import { insertAccount } from '../../../src/db/keys/accounts.ts';
import { insertKey } from '../../../src/db/keys/keys.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { type MerchantId, newId } from '../../../src/domain/ids.ts';
import { newKey } from '../../../src/domain/key.ts';
import { giveTestData } from '../../../src/local/standalone/test-data.ts';
import { Child } from '../call/child.ts';
import { freePort } from '../call/stage.ts';
import type { App, Stage } from '../rest/stage.ts';
import type { PageFloorOptions } from './floor.ts';

const READY_LIMIT_MS = 60_000;

/** A whole request as bytes on the wire. */
export function request(method: 'GET' | 'POST', path: string, key: string | null, body: object | null): string {
  const json = body === null ? '' : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(key === null ? [] : [`Authorization: Bearer ${key}`]),
    ...(body === null ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(json)}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${json}`;
}

/** An integrator: an account with one key and one merchant. */
export interface Integrator {
  key: string;
  merchantId: MerchantId;
}

/**
 * Creates enough accounts that no request is refused: a key may send 100 requests per second, and an account 200 texts
 * per hour. The texts of one account take turns, those of several do not.
 */
export async function makeIntegrators(stage: Stage, count: number): Promise<Integrator[]> {
  const database = openDatabase({ url: stage.databaseUrl, maxConnections: 2, onIdleError: console.error });
  const integrators: Integrator[] = [];
  for (let at = 0; at < count; at += 1) {
    const [accountId, key] = [newId('Account'), newKey('test')];
    await insertAccount(database, { id: accountId, name: `Bench ${at}` });
    await insertKey(database, { accountId, mode: 'test', key });
    const merchantId = (await giveTestData(database, accountId, 'USD'))?.merchants[0]?.merchant.id;
    if (merchantId === undefined) throw new Error('an account of the bench got no test data');
    integrators.push({ key, merchantId });
  }
  await database.close();
  return integrators;
}

/** @param at a different number for each session. @returns the session's ID */
export async function createSession(product: App, { key, merchantId }: Integrator, at: number): Promise<string> {
  const body = {
    merchant_id: merchantId,
    amount_cents: 4_250,
    caller_phone: `+1555${String(2_000_000 + at)}`,
  };
  const { checkout_session_id: id } = await ask<{ checkout_session_id: string }>(product, key, 'create_checkout', body);
  return id;
}

/** @returns the path of a session's page */
export async function linkOf(product: App, { key }: Integrator, sessionId: string): Promise<string> {
  const { short_url: url } = await ask<{ short_url: string }>(product, key, 'send_link', {
    checkout_session_id: sessionId,
  });
  return new URL(url).pathname;
}

async function ask<Answered>({ port }: App, key: string, operation: string, body: object): Promise<Answered> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await fetch(`http://127.0.0.1:${port}/v1/${operation}`, init);
  if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Answered;
}

/** The page as one file without scripts, padded to all bytes that the browser receives for the page. */
export async function startPageFloor(stage: Stage, html: string, bytes: number): Promise<App> {
  const still = html.replaceAll(/<script[^>]*><\/script>/g, '');
  const filler = `<!--${'x'.repeat(Math.max(0, bytes - Buffer.byteLength(still)))}-->`;
  const htmlFile = join(stage.home, 'page.html');
  await writeFile(
    htmlFile,
    still.replace('</body>', () => `${filler}</body>`),
  );
  const port = await freePort();
  const options: PageFloorOptions = {
    databaseUrl: stage.databaseUrl,
    port,
    poolSize: DATABASE_CONNECTIONS,
    htmlFile,
  };
  const child = new Child(fileURLToPath(new URL('floor.js', import.meta.url)), [JSON.stringify(options)], {});
  stage.apps.add(child);
  await child.hear(READY_LIMIT_MS);
  return { child, port };
}
