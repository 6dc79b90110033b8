/** The operator's limits of texts (RINGKEY_TEXTS_…), and the warning at 80% of an account's limits. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { textLimitsOf } from '../../src/config/derived.ts';
import { insertKey } from '../../src/db/keys/keys.ts';
import { createVault } from '../../src/lib/vault/vault.ts';
import { useFixture } from '../support/fixtures.ts';
import { STRIPE_WITH_PAGE } from '../support/stripe-with-page.ts';
import { createTestMerchant, createTestSession } from '../support/test-merchants.ts';
import { bearer } from './fixtures.ts';
import { startTestApi, type TestApi } from './test-api.ts';

const vault = createVault([randomBytes(32)]);
const startWith = (settings: Record<string, string>) =>
  startTestApi({
    vault,
    hasSmsCarrier: true,
    textLimits: textLimitsOf(readConfig(settings)),
    moreProcessors: [STRIPE_WITH_PAGE],
  });

let numbers = 0;
/** A number that no other test texts. */
const newNumber = () => `+1555010${String(4_000 + numbers++)}`;

/** A new live account, which texts with `send`. */
async function newAccount(api: TestApi) {
  const merchant = await createTestMerchant(api.database, { mode: 'live', processor: 'stripe' });
  const { accountId } = merchant;
  const key = `rk_live_${randomBytes(16).toString('hex')}`;
  await insertKey(api.database, { accountId, mode: 'live', key });
  const send = async (callerPhone = newNumber()) => {
    const id = await createTestSession(api.database, merchant, { callerPhone });
    const { status, body } = await api.post('/v1/send_link', { checkout_session_id: id }, bearer(key));
    return status === 200 ? 'sent' : `${status} ${body.error.message}`;
  };
  const sendSeveral = async (texts: number, to?: string) => {
    const said: string[] = [];
    for (let text = 0; text < texts; text += 1) said.push(await send(to));
    return said;
  };
  const warnings = async () =>
    (await api.get('/v1/audit_events?action=account.texts_near_limit', bearer(key))).body.audit_events;
  return { accountId, send, sendSeveral, warnings };
}

/** Lets time pass for all texts so far. */
const wait = (api: TestApi, interval: string) =>
  api.database.query('update texts set created_at = created_at - $1::interval', [interval]);

const sent = (texts: number) => Array.from({ length: texts }, () => 'sent');

describe('the settings', () => {
  test('have defaults of 5 an hour and 10 a day to a number, 200 an hour and 1,000 a day from an account', () => {
    expect(textLimitsOf(readConfig({}))).toEqual({
      recipientHour: 5,
      recipientDay: 10,
      accountHour: 200,
      accountDay: 1_000,
    });
  });

  test('each set the limit of their name', () => {
    const settings = {
      RINGKEY_TEXTS_PER_RECIPIENT_HOUR: '1',
      RINGKEY_TEXTS_PER_RECIPIENT_DAY: '2',
      RINGKEY_TEXTS_PER_ACCOUNT_HOUR: '3',
      RINGKEY_TEXTS_PER_ACCOUNT_DAY: '4',
    };
    expect(textLimitsOf(readConfig(settings))).toEqual({
      recipientHour: 1,
      recipientDay: 2,
      accountHour: 3,
      accountDay: 4,
    });
  });
});

describe('the limits of the operator', () => {
  const api = useFixture(() =>
    startWith({
      RINGKEY_TEXTS_PER_RECIPIENT_HOUR: '2',
      RINGKEY_TEXTS_PER_RECIPIENT_DAY: '3',
      RINGKEY_TEXTS_PER_ACCOUNT_HOUR: '5',
      RINGKEY_TEXTS_PER_ACCOUNT_DAY: '8',
    }),
  );

  test('apply to a number for an hour and for a day', async () => {
    const [account, other] = [await newAccount(api), await newAccount(api)];
    const number = newNumber();
    expect(await account.sendSeveral(2, number)).toEqual(sent(2));
    expect(await other.send(number)).toBe('429 Too many texts were sent to this number in the last hour.');
    await wait(api, '61 minutes');
    expect(await other.send(number)).toBe('sent');
    expect(await other.send(number)).toBe('429 Too many texts were sent to this number in the last 24 hours.');
    await wait(api, '24 hours');
    expect(await account.send(number)).toBe('sent');
  });

  test('apply to an account for an hour and for a day', async () => {
    const [account, other] = [await newAccount(api), await newAccount(api)];
    expect(await account.sendSeveral(5)).toEqual(sent(5));
    expect(await account.send()).toBe('429 The account has reached its limit of texts for the last hour.');
    await wait(api, '61 minutes');
    expect(await account.sendSeveral(3)).toEqual(sent(3));
    expect(await account.send()).toBe('429 The account has reached its limit of texts for the last 24 hours.');
    expect(await other.send()).toBe('sent');
    await wait(api, '23 hours');
    expect(await account.send()).toBe('sent');
  });
});

describe('the account is told at 80%', () => {
  const api = useFixture(() =>
    startWith({ RINGKEY_TEXTS_PER_ACCOUNT_HOUR: '50', RINGKEY_TEXTS_PER_ACCOUNT_DAY: '10' }),
  );

  test('of its limit for a day, once, in the audit log and in the log', async () => {
    const account = await newAccount(api);
    await account.sendSeveral(7);
    expect(await account.warnings()).toEqual([]);
    const logged = () =>
      api.log
        .map((line) => JSON.parse(line) as { msg: string; accountId?: string })
        .filter(
          ({ msg, accountId }) => msg === 'account is near its limit of texts' && accountId === account.accountId,
        );
    expect(logged()).toEqual([]);
    await account.sendSeveral(3);
    expect(await account.warnings()).toMatchObject([
      { object_id: account.accountId, actor: 'system', changes: { last_day: { texts: 8, limit: 10 } } },
    ]);
    expect(logged()).toMatchObject([{ mode: 'live', limits: ['accountDay'] }]);
  });

  test('of the texts that went out, and not of those that a limit held back', async () => {
    const account = await newAccount(api);
    const number = newNumber();
    await account.sendSeveral(20, number);
    expect(await account.warnings()).toEqual([]);
  });
});
