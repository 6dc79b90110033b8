/**
 * Callers' keys are stored nowhere: makes calls of every kind at the most verbose log level, then scans everything that
 * the product wrote. A second test shows that the scan finds planted data.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { KeysBy } from '../../src/local/scripted-caller/phone.ts';
import { sendLink } from '../../src/local/scripted-caller/rest-client.ts';
import { testCard } from '../../src/payments/sandbox/cards.ts';
import { payOnPage } from '../page/pages.ts';
import {
  collectWrittenTexts,
  findAccountData,
  findCardData,
  type KeyedAccount,
  type KeyedCard,
} from '../support/card-data-search.ts';
import { createCheckout, waitForEndedCall, waitForSettledCharges } from '../support/checkouts.ts';
import { startProduct, type TestProduct } from '../support/product.ts';
import { TestCaller } from '../support/test-caller.ts';

vi.setConfig({ testTimeout: 400_000 });

/**
 * Numbers, dates and codes that do not occur by chance: other numbers have no leading zero, and IDs contain none of
 * these. The first four are approved, the rest declined.
 */
const CARDS = {
  amex: { number: testCard('amex').number, expiry: '0931', securityCode: '0371' },
  mastercard: { number: testCard('mastercard_2').number, expiry: '0832', securityCode: '017' },
  breaking: { number: testCard('breaks_then_succeeds').number, expiry: '0733', securityCode: '063' },
  storedCards: { number: testCard('discover').number, expiry: '0935', securityCode: '059' },
  declined: { number: '4539578763621486', expiry: '0634', securityCode: '049' },
  confirmed: { number: '4716395182740630', expiry: '0536', securityCode: '083' },
  half: { number: '4485275742308327', expiry: '0437', securityCode: '097' },
  mistyped: { number: '4929317546208172', expiry: '0338', securityCode: '078' },
  sent: { number: '4024007198964305', expiry: '0140', securityCode: '086' },
  killed: { number: '4556737586899855', expiry: '0239', securityCode: '064' },
  typed: { number: '4532015112830366', expiry: '0641', securityCode: '091' },
  sounded: { number: '4473962481507367', expiry: '0838', securityCode: '074' },
  mistaken: { number: '4716108999716531', expiry: '0742', securityCode: '067' },
  switched: { number: '4539148803436467', expiry: '0243', securityCode: '054' },
} satisfies Record<string, KeyedCard>;

/** Bank accounts. The sandbox refuses both; the caller hangs up in the middle of the second. */
const ACCOUNTS = {
  refused: { routingNumber: '061092387', accountNumber: '08351946270358192' },
  half: { routingNumber: '091408501', accountNumber: '07462915803746' },
} satisfies Record<string, KeyedAccount>;

const keysOf = ({ number, expiry, securityCode }: KeyedCard) => `${number}${expiry}${securityCode}`;

/** Folders of a real engine's logs, separated by `:`, if the calls run on one. */
const ENGINE_FOLDERS = (process.env.RINGKEY_TEST_ENGINE_FOLDERS ?? '').split(':').filter((folder) => folder !== '');

let product: TestProduct;
const callers: TestCaller[] = [];

beforeAll(async () => {
  // With a separate folder of prompts, which is searched, too.
  product = await startProduct(({ home }) => ({ RINGKEY_LOG_LEVEL: 'debug', RINGKEY_MEDIA_DIR: join(home, 'speech') }));
});

afterAll(async () => {
  for (const testCaller of callers) await testCaller.close();
  await product.close();
});

async function onThePhone(
  fields: Record<string, unknown> = {},
  keysBy: KeysBy = 'telephone_event',
): Promise<TestCaller> {
  const testCaller = await TestCaller.create(product, { fields, keysBy });
  callers.push(testCaller);
  await testCaller.dial();
  return testCaller;
}

async function pays(card: KeyedCard): Promise<void> {
  const testCaller = await onThePhone();
  await testCaller.press(keysOf(card));
  await testCaller.outcomeHeadersAfterCall();
  await waitForEndedCall(product.testDatabase, testCaller.checkout.id);
}

/** Also saves the card, as only a handle, four digits and a month. */
async function keeps(card: KeyedCard): Promise<void> {
  const testCaller = await onThePhone({ merchant_id: 'mer_demo_market' });
  await testCaller.press(keysOf(card));
  await testCaller.waitForSentence(/without keeping/);
  await testCaller.press('1');
  await testCaller.outcomeHeadersAfterCall();
  await waitForEndedCall(product.testDatabase, testCaller.checkout.id);
}

async function paysByInfo(card: KeyedCard): Promise<void> {
  const testCaller = await onThePhone({}, 'info');
  await testCaller.press(keysOf(card));
  await testCaller.outcomeHeadersAfterCall();
}

async function isDeclined(card: KeyedCard, keysBy?: KeysBy): Promise<void> {
  const testCaller = await onThePhone({ merchant_id: 'mer_demo_diner' }, keysBy);
  // FreeSWITCH drops waiting tones when a prompt starts.
  if (keysBy === 'sound') await testCaller.waitForSentence(/card number/);
  await testCaller.press(keysOf(card));
  await testCaller.waitForSentence(/another card/);
  await testCaller.press('**');
  await testCaller.outcomeHeadersAfterCall();
}

async function confirms(card: KeyedCard): Promise<void> {
  const testCaller = await onThePhone({ merchant_id: 'mer_demo_books' });
  await testCaller.press(`${keysOf(card)}94105`);
  await testCaller.waitForSentence(/press one/);
  await testCaller.press('1');
  await testCaller.waitForSentence(/another card/);
  await testCaller.hangUp();
}

async function hangsUpMidCard({ number }: KeyedCard): Promise<void> {
  const testCaller = await onThePhone();
  await testCaller.press(number.slice(0, -2));
  await testCaller.hangUp();
}

/** Requests the link in the middle of a card number, and returns to the keypad. */
async function switchesToLink({ number }: KeyedCard): Promise<void> {
  const testCaller = await onThePhone({ merchant_id: 'mer_demo_diner' });
  await testCaller.press(`${number}##`);
  await testCaller.waitForSentence(/stay on the line/);
  await testCaller.press(number.slice(0, -1));
  await testCaller.hangUp();
}

/** Enters a wrong last digit, then one digit too few and `*`, then no more keys. */
async function mistypes({ number }: KeyedCard): Promise<void> {
  const testCaller = await onThePhone();
  const wrong = String((Number(number.at(-1)) + 1) % 10);
  await testCaller.press(number.slice(0, -1) + wrong);
  await testCaller.waitForSentence(/look right/);
  await testCaller.press(`${number.slice(0, -1)}*`);
  await testCaller.hangUp();
}

async function chargesAccount({ routingNumber }: KeyedAccount): Promise<TestCaller> {
  const payment_methods = ['card', 'us_bank_account'];
  const testCaller = await onThePhone({ merchant_id: 'mer_demo_books', payment_methods, payer_name: 'Ada Lovelace' });
  await testCaller.waitForSentence(/from your US bank account/);
  await testCaller.press('2');
  await testCaller.waitForSentence(/routing number/);
  await testCaller.press(routingNumber);
  await testCaller.waitForSentence(/account number/);
  return testCaller;
}

/** The bank account is mistyped, then entered twice and authorized. */
async function paysByAccount(account: KeyedAccount): Promise<void> {
  const testCaller = await chargesAccount(account);
  const { accountNumber: number } = account;
  await testCaller.press(`${number}#${number.slice(0, -1)}#`);
  await testCaller.waitForSentence(/weren't the same/);
  await testCaller.press(`${number}#${number}#1`);
  await testCaller.waitForSentence(/authorize this, press one/);
  await testCaller.press('1');
  await testCaller.waitForSentence(/can't use that bank account/);
  await testCaller.press('**');
  await testCaller.outcomeHeadersAfterCall();
}

async function hangsUpMidAccount(account: KeyedAccount): Promise<void> {
  const testCaller = await chargesAccount(account);
  await testCaller.press(account.accountNumber.slice(0, -1));
  await testCaller.hangUp();
}

/** The product is killed while the caller enters a card. */
async function isCutOff({ number }: KeyedCard): Promise<void> {
  const testCaller = await onThePhone();
  await testCaller.press(number.slice(0, -1));
  await product.stop('SIGKILL');
  await product.startAgain();
  await waitForEndedCall(product.testDatabase, testCaller.checkout.id);
}

/** Sends the card over REST, which must refuse it, each time with an Idempotency-Key, whose answers are stored. */
async function sendsOverRest({ number, securityCode }: KeyedCard): Promise<void> {
  const caller = { merchant_id: 'mer_demo_diner', caller_phone: '+15550101234' };
  let sent = 0;
  const send = async (path: string, body: object) => {
    sent += 1;
    const headers = { 'content-type': 'application/json', 'idempotency-key': `canary ${sent}` };
    const answer = await fetch(product.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  for (const wrong of [
    { ...caller, token: number },
    { ...caller, token: 'tok_visa', [number]: securityCode },
    { ...caller, token: 'tok_visa', vault: number },
  ]) {
    expect((await send('/v1/cards', wrong)).status).toBeGreaterThanOrEqual(400);
  }
  const opened = await send('/v1/create_checkout', { ...caller, amount_cents: 1_000 });
  const { checkout_session_id } = opened.body;
  const charge = await send('/v1/charge', { checkout_session_id, instrument_id: 'card_demo_visa' });
  expect((await send('/v1/refunds', { charge: charge.body.charge_id })).status).toBe(200);
  expect((await send('/v1/refunds', { charge: number })).status).toBe(400);
}

/**
 * Types cards on the pay page: one with a wrong digit, which the page does not show again, then one that is declined.
 */
async function typesOnPage(mistaken: KeyedCard, declined: KeyedCard): Promise<void> {
  const { id } = await createCheckout(product, { caller_phone: '+15550101315' });
  const page = await sendLink(product.baseUrl, id);
  const typed = ({ number, expiry, securityCode }: KeyedCard) => ({
    number,
    expiry: `${expiry.slice(0, 2)} / ${expiry.slice(2)}`,
    security_code: securityCode,
  });
  const wrong = `${mistaken.number.slice(0, -1)}${(Number(mistaken.number.at(-1)) + 1) % 10}`;
  const fault = await payOnPage(page, typed({ ...mistaken, number: wrong }));
  expect(fault.state).toBe('ready');
  expect(fault.html).not.toContain(mistaken.number.slice(0, 12));
  expect((await payOnPage(page, typed(declined))).state).toBe('declined');
}

test('no card number, security code or expiry is stored anywhere after the calls', async () => {
  await Promise.all([
    pays(CARDS.amex),
    paysByInfo(CARDS.mastercard),
    pays(CARDS.breaking),
    keeps(CARDS.storedCards),
    isDeclined(CARDS.declined),
    confirms(CARDS.confirmed),
    hangsUpMidCard(CARDS.half),
    mistypes(CARDS.mistyped),
    sendsOverRest(CARDS.sent),
    typesOnPage(CARDS.mistaken, CARDS.typed),
  ]);
  // Not together with the others, because keys would be lost on two cores.
  await isDeclined(CARDS.sounded, 'sound');
  await switchesToLink(CARDS.switched);
  await Promise.all([paysByAccount(ACCOUNTS.refused), hangsUpMidAccount(ACCOUNTS.half)]);
  for (const { checkout } of callers) {
    await waitForEndedCall(product.testDatabase, checkout.id);
    await waitForSettledCharges(product.testDatabase, checkout.id);
  }
  await isCutOff(CARDS.killed);
  const { rows } = await product.testDatabase.database.query<{ status: string }>('select status from charges');
  expect(rows.filter(({ status }) => status === 'succeeded')).toHaveLength(5);
  expect(rows.filter(({ status }) => status === 'failed')).toHaveLength(5);

  const { rows: storedCards } = await product.testDatabase.database.query(
    `select i.last_four from card_consents k join instruments i on i.id = k.instrument_id`,
  );
  expect(storedCards).toEqual([{ last_four: CARDS.storedCards.number.slice(-4) }]);

  const traces = await collectWrittenTexts(product, ENGINE_FOLDERS);
  expect(traces.length).toBeGreaterThan(20);
  const writtenIn = (place: string) => traces.find((trace) => trace.place === place)?.text ?? '';
  expect(writtenIn('table public.audit_events')).toContain('refund.created');
  // The three that were executed: a request with card data leaves no row.
  expect(writtenIn('table public.idempotency_keys').split('\n')).toHaveLength(3);
  expect(traces.some(({ place }) => place.startsWith('key '))).toBe(true);
  expect(findCardData(traces, Object.values(CARDS))).toEqual([]);
  expect(findAccountData(traces, Object.values(ACCOUNTS))).toEqual([]);
  expect(writtenIn('table public.debit_authorizations')).toContain('Ada Lovelace');
});

test('the scan finds planted card data in every place and notation', async () => {
  const planted: KeyedCard = { number: '4916338506082832', expiry: '0139', securityCode: '052' };
  const { number, expiry, securityCode } = planted;
  const files = {
    plain: `the caller keyed ${number} and went on`,
    separated: number.replace(/(.{4})/g, '$1-'),
    array: JSON.stringify([...number]),
    events: [...number].map((key) => `RECV DTMF ${key}:800\n`).join(''),
    base64: Buffer.from(`>>>${number}`).toString('base64'),
    hex: Buffer.from(`card=${number}`).toString('hex'),
    part: number.slice(0, 12),
    code: `"security_code": "${securityCode}"`,
    keyed: `${expiry}${securityCode}`,
    expiry: `expiry ${expiry}`,
  };
  const fileOf = (name: string) => join(product.home, `planted-${name}`);
  const { redis } = product.testRedis;
  await Promise.all(Object.entries(files).map(([name, text]) => writeFile(fileOf(name), text)));
  // REST refuses it.
  const { id } = await createCheckout(product);
  await product.testDatabase.database.query('update checkout_sessions set metadata = $2 where id = $1', [
    id,
    { note: `card ${number}` },
  ]);
  await redis.set('planted:string', number);
  await redis.rpush('planted:list', number);
  const account: KeyedAccount = { routingNumber: '082901787', accountNumber: '06284719350264' };
  const bank = fileOf('bank');
  await writeFile(bank, `${account.routingNumber} and ${account.accountNumber.slice(2).replace(/(.{3})/g, '$1 ')}`);
  const traces = await collectWrittenTexts(product);
  const found = findCardData(traces, [planted]);
  expect(findAccountData(traces, [account])).toEqual([
    { place: bank, what: 'account number' },
    { place: bank, what: 'routing number' },
  ]);
  await rm(bank);
  await Promise.all(Object.keys(files).map((name) => rm(fileOf(name))));
  await redis.del('planted:string', 'planted:list');

  const places = (what: string) => found.filter((finding) => finding.what === what).map(({ place }) => place);
  for (const name of ['plain', 'separated', 'array', 'events', 'base64', 'hex']) {
    expect(places('number')).toContain(fileOf(name));
  }
  expect(places('number')).toEqual(
    expect.arrayContaining(['table public.checkout_sessions', 'key planted:string', 'key planted:list']),
  );
  expect(places('number').some((place) => place.endsWith('.rdb'))).toBe(true);
  expect(places('part of a number')).toContain(fileOf('part'));
  expect(places('security code')).toEqual(expect.arrayContaining([fileOf('code'), fileOf('keyed')]));
  expect(places('expiry')).toContain(fileOf('expiry'));
});
