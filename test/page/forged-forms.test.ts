/** Forms of the pay page that strangers, other sites or old pages send. */
import { describe, expect, test } from 'vitest';
import { startTestApi } from '../contract/test-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { chargesOf, getPage, openTestPage, postForm, submitForm, VISA } from './pages.ts';

const api = useFixture(() => startTestApi());

const open = (options?: Parameters<typeof openTestPage>[1]) => openTestPage(api.database, options);
const get = (path: string, headers?: Record<string, string>) => getPage(api.url + path, headers);

describe('a form', () => {
  test('charges nothing if it comes from another site', async () => {
    const { path, sessionId } = await open();
    const { attempt = '' } = await get(path);
    const fields = { attempt, ...VISA };
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ]) {
      expect((await postForm(api.url + path, fields, headers as Record<string, string>)).status).toBe(403);
    }
    expect(await chargesOf(api.database, sessionId)).toEqual([]);
    expect((await postForm(api.url + path, fields, { origin: api.url })).status).toBe(303);
    expect(await chargesOf(api.database, sessionId)).toMatchObject([{ status: 'succeeded' }]);
  });

  test('has no amount and no currency', async () => {
    const { path, sessionId } = await open();
    const { attempt = '' } = await get(path);
    const forged = { amount: '1', amount_cents: '1', currency: 'EUR', session: 'cs_other', merchant_id: 'mer_other' };
    await submitForm(api.url + path, { attempt, ...VISA, ...forged });
    expect(await chargesOf(api.database, sessionId)).toEqual([
      { status: 'succeeded', amountCents: 4_250, currency: 'USD' },
    ]);
  });

  test.each([
    ['missing', ''],
    ['malformed', '../../etc/passwd'],
    ['too long', 'a'.repeat(10_000)],
  ])('charges nothing with an attempt ID that is %s', async (_name, attempt) => {
    const { path, sessionId } = await open();
    expect(await submitForm(api.url + path, { attempt, ...VISA })).toMatchObject({ state: 'ready' });
    expect(await chargesOf(api.database, sessionId)).toEqual([]);
  });

  test('is a separate attempt with another session’s attempt ID', async () => {
    const [one, other] = [await open(), await open()];
    const { attempt = '' } = await get(one.path);
    await submitForm(api.url + one.path, { attempt, ...VISA });
    expect(await submitForm(api.url + other.path, { attempt, ...VISA })).toMatchObject({ state: 'paid' });
    expect(await chargesOf(api.database, one.sessionId)).toHaveLength(1);
    expect(await chargesOf(api.database, other.sessionId)).toHaveLength(1);
  });

  test('charges nothing from a second window, and says that another attempt was first', async () => {
    const { path, sessionId } = await open();
    const [first, second] = [await get(path), await get(path)];
    await submitForm(api.url + path, { attempt: first.attempt ?? '', ...VISA });
    const late = await submitForm(api.url + path, { attempt: second.attempt ?? '', ...VISA });
    expect(late.state).toBe('paid');
    expect(late.html).toContain('You are charged only once');
    expect(await chargesOf(api.database, sessionId)).toHaveLength(1);
  });

  test.each([
    ['sent as JSON', 'application/json', '{"number":"4242424242424242"}'],
    ['too large', 'application/x-www-form-urlencoded', `number=${'4'.repeat(70_000)}`],
  ])('gets an error page if it is %s', async (_name, type, body) => {
    const { path } = await open();
    const headers = { 'content-type': type, 'sec-fetch-site': 'same-origin' };
    const answer = await fetch(api.url + path, { method: 'POST', headers, body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
    expect(await answer.text()).toContain('nothing was charged');
  });

  test('is a wrong card with invalid bytes, not an internal error', async () => {
    const { path } = await open();
    const { attempt } = await get(path);
    for (const number of ['%00%ff%zz', '%', '4242424242424242%0a', '%E2%80%AE4242', '4'.repeat(5_000)]) {
      const answer = await fetch(api.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
        body: `attempt=${attempt}&expiry=12%2F39&security_code=123&number=${number}`,
        redirect: 'manual',
      });
      expect(answer.headers.get('location')).toContain('fix=number_');
    }
  });

  test('shows the current state if it was sent from an outdated page', async () => {
    const { path, sessionId } = await open();
    const { attempt = '' } = await get(path);
    await api.database.query(`update checkout_sessions set expires_at = now() where id = $1`, [sessionId]);
    expect(await submitForm(api.url + path, { attempt, ...VISA })).toMatchObject({ state: 'expired' });
    expect(await chargesOf(api.database, sessionId)).toEqual([]);
  });
});
