/** Opens sessions with a pay link, and uses their pages as a browser without JavaScript does. */
import { randomBytes } from 'node:crypto';
import { newPayLink } from '../../src/checkout/pay-link.ts';
import { insertAccount } from '../../src/db/keys/accounts.ts';
import { seedMerchant } from '../../src/db/merchants/merchant-records.ts';
import { insertPayLink } from '../../src/db/pay-links/pay-links.ts';
import type { Sql } from '../../src/db/pool.ts';
import { insertSession, type NewSession } from '../../src/db/sessions/sessions.ts';
import { type CheckoutSessionId, newId, type PayCodes } from '../../src/domain/ids.ts';
import { MERCHANT_DEFAULTS, type Merchant } from '../../src/domain/merchant.ts';
import { createVault } from '../../src/lib/vault/vault.ts';

const vault = createVault([randomBytes(32)]);

export interface TestPage {
  sessionId: CheckoutSessionId;
  merchant: Merchant;
  codes: PayCodes;
  /** `/p/<code>`. */
  path: string;
  longPath: string;
}

export interface TestPageOptions {
  merchant?: Partial<Merchant>;
  session?: Partial<Omit<NewSession, 'id' | 'accountId' | 'merchantId'>>;
}

/** Creates a session with a pay link, for a new merchant. */
export async function openTestPage(sql: Sql, options: TestPageOptions = {}): Promise<TestPage> {
  const merchant: Merchant = {
    ...MERCHANT_DEFAULTS,
    id: newId('Merchant'),
    accountId: newId('Account'),
    mode: 'test',
    slug: 'diner',
    businessName: 'Demo Diner',
    acceptedBrands: ['visa', 'mastercard', 'american-express'],
    processor: 'sandbox',
    ...options.merchant,
  };
  await insertAccount(sql, { id: merchant.accountId, name: 'Test' });
  await seedMerchant(sql, merchant, []);
  return { ...(await openPageOf(sql, merchant, options.session)), merchant };
}

/** Creates another session with a pay link, for the same merchant. */
export async function openPageOf(
  sql: Sql,
  { id: merchantId, accountId, mode }: Merchant,
  session: TestPageOptions['session'] = {},
): Promise<Omit<TestPage, 'merchant'>> {
  const sessionId = newId('CheckoutSession');
  await insertSession(sql, {
    id: sessionId,
    accountId,
    mode,
    merchantId,
    consumerId: null,
    verdict: 'required',
    amount: { amountCents: 4_250, currency: 'USD' },
    amountSource: 'request',
    callerPhone: '+15550101234',
    orderId: 'A-1001',
    platformCallId: null,
    returnTo: null,
    successMessage: null,
    failureMessage: null,
    lineItems: [],
    metadata: {},
    transferToken: null,
    allowRepeat: false,
    ttlSeconds: 1_800,
    ...session,
  });
  const link = newPayLink(vault, sessionId, { accountId, mode });
  await insertPayLink(sql, link);
  const { codes } = link;
  return { sessionId, codes, path: `/p/${codes.short}`, longPath: `/pay/${codes.long}` };
}

/** Inserts a charge, as if it was made on the phone, by an agent or on another page. */
export async function insertCharge(
  sql: Sql,
  { sessionId, merchant }: TestPage,
  { status, source }: { status: string; source: string },
): Promise<void> {
  await sql.query(
    `insert into charges (id, session_id, account_id, merchant_id, mode, amount_cents, currency, source, processor, status,
                          brand, last_four, settled_at)
     values ($1, $2, $3, $4, 'test', 4250, 'USD', $5, 'sandbox', $6::charge_status, 'VISA', '1111',
             case when $6 = 'pending' then null else now() end)`,
    [newId('Charge'), sessionId, merchant.accountId, merchant.id, source, status],
  );
}

/** A response. Redirects are not followed. */
export interface PageAnswer {
  status: number;
  headers: Headers;
  html: string;
  /** `data-state` of the page. */
  state: string | undefined;
  /** The hidden field of the form. */
  attempt: string | undefined;
}

export async function getPage(url: string, headers: Record<string, string> = {}): Promise<PageAnswer> {
  return answerOf(await fetch(url, { headers, redirect: 'manual' }));
}

/** @param fields sent in this order */
export async function postForm(
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' },
): Promise<PageAnswer> {
  const body = new URLSearchParams(fields);
  return answerOf(await fetch(url, { method: 'POST', body, headers, redirect: 'manual' }));
}

/** Submits a form, and follows the redirect. */
export async function submitForm(url: string, fields: Record<string, string>): Promise<PageAnswer> {
  const answer = await postForm(url, fields);
  const location = answer.headers.get('location');
  if (answer.status !== 303 || location === null) throw new Error(`the form returned ${answer.status}: ${answer.html}`);
  return getPage(new URL(location, url).href);
}

export const VISA = { number: '4242 4242 4242 4242', expiry: '12 / 39', security_code: '123' };

/** Opens the page, fills in the form and submits it. */
export async function payOnPage(url: string, card: Record<string, string> = VISA): Promise<PageAnswer> {
  const page = await getPage(url);
  if (page.attempt === undefined) throw new Error(`the page has no form: ${page.state}`);
  return submitForm(url, { attempt: page.attempt, ...card });
}

async function answerOf(response: Response): Promise<PageAnswer> {
  const html = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    html,
    state: /<main data-state="(\w+)"/.exec(html)?.[1],
    attempt: /name="attempt" value="([^"]+)"/.exec(html)?.[1],
  };
}

/** The charges of a session, as far as a payer decides them. */
export async function chargesOf(sql: Sql, sessionId: string): Promise<object[]> {
  const text = 'select status, amount_cents as "amountCents", currency from charges where session_id = $1';
  return (await sql.query<object>(text, [sessionId])).rows;
}
