/** Capturing and voiding holds in the dashboard, and refunds of what was captured. */
import { beforeEach, describe, expect, test } from 'vitest';
import { createCharge } from '../contract/refunds-api.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

const hold = async (card = 'visa') => (await createCharge(dashboard.api, card, 'manual')).id;
const statusOf = async (id: string) => (await dashboard.api.get(`/v1/charges/${id}`)).body;
/** @param page with a form */
const send = (id: string, kind: 'capture' | 'void', fields: Record<string, string> = {}, page = `${id}/${kind}`) =>
  dashboard.submit(`/test/charges/${page}`, `/test/charges/${id}/${kind}`, fields);

describe('the page of an authorized charge', () => {
  test('offers to capture and to void, and no refund', async () => {
    const id = await hold();
    const { html } = await dashboard.get(`/test/charges/${id}`);
    expect(html).toContain(`/dashboard/test/charges/${id}/capture`);
    expect(html).toContain(`/dashboard/test/charges/${id}/void`);
    expect(html).not.toContain(`/dashboard/test/charges/${id}/refund`);
    expect(html).toContain('Capture before');
  });

  test('captures a part, which alone can then be refunded', async () => {
    const id = await hold();
    const form = `/test/charges/${id}/capture`;
    expect((await dashboard.get(form)).html).toContain('At most $40.00');
    expect((await dashboard.get(`${form}?amount=some`)).html).toContain('Enter an amount such as');
    expect((await dashboard.get(`${form}?amount=40.01`)).html).toContain('aria-invalid');
    expect((await dashboard.get(`${form}?amount=40`)).html).toContain('This captures the whole hold');
    const { html } = await dashboard.get(`${form}?amount=15`);
    expect(html).toContain('<button type="submit" class="first">Capture $15.00</button>');
    expect(html).toContain('The rest, $25.00, is released');
    expect((await send(id, 'capture', { amount_cents: '4001' })).html).toContain('more than the hold');
    for (const amount_cents of ['', '15.5', 'NaN', '-1']) {
      expect((await send(id, 'capture', { amount_cents })).status, amount_cents).toBe(422);
    }
    expect(await statusOf(id)).toMatchObject({ status: 'authorized' });
    expect((await send(id, 'capture', { amount_cents: '1500' })).status).toBe(303);
    expect(await statusOf(id)).toMatchObject({ status: 'succeeded', captured_cents: 1_500 });
    expect((await dashboard.get(`/test/charges/${id}`)).html).toMatch(/Captured.*\$15\.00/s);
    expect((await dashboard.get(`/test/charges/${id}/refund`)).html).toContain('$15.00 can be refunded');
  });

  test('reads an amount in the language of the user, and names it before it is captured', async () => {
    const form = `/test/charges/${await hold()}/capture`;
    const inGerman = async (amount: string) =>
      (await dashboard.get(`${form}?amount=${encodeURIComponent(amount)}`, { 'accept-language': 'de' })).html;
    expect((await dashboard.get(form, { 'accept-language': 'de' })).html).toContain('value="40,00"');
    expect(await inGerman('12,50')).toMatch(/>12,50\s\$ einziehen<\/button>/);
    expect(await inGerman('12.50')).toMatch(/name="amount_cents" value="1250"/);
    for (const amount of ['1.234', '1,234', '0.012', '12,50,00']) {
      expect(await inGerman(amount)).toContain('Geben Sie einen Betrag wie 42,50 ein.');
    }
  });

  test('voids', async () => {
    const id = await hold();
    expect((await dashboard.get(`/test/charges/${id}/void`)).html).toContain('Release $40.00');
    expect((await send(id, 'void')).status).toBe(303);
    expect(await statusOf(id)).toMatchObject({ status: 'voided' });
    const again = await send(id, 'capture', { amount_cents: '1500' }, `${await hold()}/capture`);
    expect(again.html).toContain('already voided');
  });

  test('tells that the processor has not answered', async () => {
    const id = await hold('hold_hangs');
    expect((await send(id, 'capture', { amount_cents: '1500' })).html).toContain('The processor has not answered');
  });
});
