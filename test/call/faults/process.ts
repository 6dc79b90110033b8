/** The product is stopped or killed during calls. */
import { describe, expect, test } from 'vitest';
import { sendLink } from '../../../src/local/scripted-caller/rest-client.ts';
import { payOnPage } from '../../page/pages.ts';
import {
  createCheckout,
  eventually,
  readSessionStatus,
  waitForEndedCall,
  waitForSettledCharges,
} from '../../support/checkouts.ts';
import { cardKeys, placeCall } from '../../support/sipp-calls.ts';
import { type FaultTest, payByPhone, waitForPendingCharge, withProduct } from './fault-harness.ts';

export function processFaults(): void {
  describe.concurrent('SIGTERM with calls up', () => {
    // What slow callers hear is tested in the process, which a busy machine does not slow down.
    test('refuses new calls, returns slow callers to the agent, and exits with code 0', () =>
      withProduct({ RINGKEY_DRAIN_SECONDS: '15' }, async ({ product, newCaller }) => {
        const late = await createCheckout(product);
        const caller = await newCaller();
        await caller.dial();
        await caller.waitForSentence(/card number/);
        const stopping = product.waitForOutput(/"msg":"stopping"/);
        const stopped = product.stop('SIGTERM');
        await stopping;
        await placeCall(late, (another) => another.invites().isRefused(503));
        expect(await caller.outcomeHeadersAfterCall()).toMatchObject({
          'X-Ringkey-Outcome': 'failed',
          'X-Ringkey-Reason': 'error',
        });
        expect(await stopped).toBe(0);
        expect(await waitForEndedCall(product.testDatabase, caller.checkout.id)).toMatchObject({ outcome: 'failed' });
        expect(await readSessionStatus(product.testDatabase, caller.checkout.id)).toBe('open');
      }));

    test('lets a caller finish paying, and then exits', () =>
      withProduct({ RINGKEY_DRAIN_SECONDS: '600' }, async ({ product, newCaller }) => {
        const caller = await newCaller();
        await caller.dial();
        const stopped = product.stop('SIGTERM');
        await caller.press(cardKeys('visa'));
        expect(await caller.outcomeHeadersAfterCall()).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
        expect(await stopped).toBe(0);
        expect(await waitForEndedCall(product.testDatabase, caller.checkout.id)).toMatchObject({
          outcome: 'succeeded',
        });
      }));
  });

  describe.concurrent('SIGKILL with calls up, and a start', () => {
    test('closes the calls of the dead process, and their sessions can be called and paid', () =>
      withProduct({}, async ({ product, newCaller }) => {
        const caller = await newCaller();
        await caller.dial();
        await caller.waitForSentence(/card number/);
        expect(await product.stop('SIGKILL')).toBe('SIGKILL');
        await product.startAgain();
        const { id } = caller.checkout;
        expect(await waitForEndedCall(product.testDatabase, id)).toMatchObject({
          outcome: 'failed',
          reason: 'error',
          charge_id: null,
        });
        expect(await readSessionStatus(product.testDatabase, id)).toBe('open');
        // The caller returns to the agent even if the SIP server has died with the process.
        expect(await caller.outcomeHeaders()).toMatchObject({ 'X-Ringkey-Outcome': 'failed' });
        await payByPhone(await newCaller({ checkout: caller.checkout }), caller, 1);
      }));

    test('leaves the texted link valid, and returns the caller to the agent', () =>
      withProduct({}, async ({ product, newCaller }) => {
        const caller = await newCaller();
        await caller.dial();
        await caller.press('##');
        await caller.waitForSentence(/stay on the line/);
        const { id } = caller.checkout;
        const page = await sendLink(product.baseUrl, id);
        const typed = { number: '4242424242424242', expiry: '12 / 30', security_code: '123' };
        expect(await product.stop('SIGKILL')).toBe('SIGKILL');
        await product.startAgain();
        expect(await waitForEndedCall(product.testDatabase, id)).toMatchObject({
          outcome: 'agent',
          reason: 'link_sent',
          charge_id: null,
        });
        expect(await caller.outcomeHeaders()).toMatchObject({ 'X-Ringkey-Outcome': 'agent' });
        expect((await payOnPage(page, typed)).state).toBe('paid');
      }));

    test('settles a charge in progress once, and saves its card as the caller agreed', () =>
      withProduct({}, async ({ product, newCaller }) => {
        const caller = await newCaller({ fields: { merchant_id: 'mer_demo_market' } });
        await caller.dial();
        await caller.press(`${cardKeys('slow')}1`);
        const { id } = caller.checkout;
        await waitForPendingCharge(product, id);
        expect(await product.stop('SIGKILL')).toBe('SIGKILL');
        await product.startAgain();
        expect(await waitForSettledCharges(product.testDatabase, id)).toMatchObject([{ status: 'succeeded' }]);
        expect(await count(product, 'sandbox_payments')).toBe(1);
        expect(await count(product, 'events', `where type = 'checkout.succeeded'`)).toBe(1);
        // The card is saved after the charge is settled, in a separate step.
        const savedCards = () => count(product, 'card_consents', `where status = 'kept' and instrument_id is not null`);
        await eventually(180_000, async () => expect(await savedCards()).toBe(1));
        expect(await count(product, 'instruments', `where merchant_id = 'mer_demo_market' and handle_sealed`)).toBe(1);
        // Depends on which the start finds first: calls of a dead process, or charges without an outcome.
        const { outcome } = await waitForEndedCall(product.testDatabase, id);
        expect(['pending', 'succeeded']).toContain(outcome);
        await placeCall(caller.checkout, (again) => again.invites().isRefused(410));
      }));
  });
}

async function count({ testDatabase }: FaultTest['product'], table: string, where = ''): Promise<number> {
  const { rows } = await testDatabase.database.query<{ rows: number }>(
    `select count(*)::int as rows from ${table} ${where}`,
  );
  return rows[0]?.rows ?? 0;
}
