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
    expect((await dashboard.get(`/test/charges/${id}/capture`)).html).toContain('At most $40.00');
    expect((await send(id, 'capture', { amount: 'some' })).html).toContain('Enter an amount such as');
    expect((await send(id, 'capture', { amount: '40.01' })).html).toContain('more than the hold');
    expect((await send(id, 'capture', { amount: '15.00' })).status).toBe(303);
    expect(await statusOf(id)).toMatchObject({ status: 'succeeded', captured_cents: 1_500 });
    expect((await dashboard.get(`/test/charges/${id}`)).html).toMatch(/Captured.*\$15\.00/s);
    expect((await dashboard.get(`/test/charges/${id}/refund`)).html).toContain('$15.00 can be refunded');
  });

  test('voids', async () => {
    const id = await hold();
    expect((await dashboard.get(`/test/charges/${id}/void`)).html).toContain('Release $40.00');
    expect((await send(id, 'void')).status).toBe(303);
    expect(await statusOf(id)).toMatchObject({ status: 'voided' });
    const again = await send(id, 'capture', { amount: '15.00' }, `${await hold()}/capture`);
    expect(again.html).toContain('already voided');
  });

  test('tells that the processor has not answered', async () => {
    const id = await hold('hold_hangs');
    expect((await send(id, 'capture', { amount: '15.00' })).html).toContain('The processor has not answered');
  });
});
