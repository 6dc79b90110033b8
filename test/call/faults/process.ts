/** The product is told to stop with calls up, or is killed. */
import { describe, expect, test } from 'vitest';
import { call, cardKeys } from '../../support/sipp-calls.ts';
import { endedCall, openCheckout, sessionStatus, settledCharges, soon } from '../../support/checkouts.ts';
import { chargeBegun, onProduct, pays, type Scene } from './fault-harness.ts';

export function processFaults(): void {
  describe.concurrent('SIGTERM with calls up', () => {
    test('takes no new call, says goodbye to those who dawdle, and ends with code 0', () =>
      onProduct({ RINGKEY_DRAIN_SECONDS: '6' }, async ({ product, person }) => {
        const late = await openCheckout(product);
        const caller = await person();
        await caller.dial();
        await caller.hears(/card number/);
        const stopping = product.says(/"msg":"stopping"/);
        const stopped = product.stop('SIGTERM');
        await stopping;
        await call(late, (another) => another.invites().isRefused(503));
        await caller.hears(/can't take a payment/);
        expect(await caller.told()).toMatchObject({ 'X-Ringkey-Outcome': 'failed', 'X-Ringkey-Reason': 'error' });
        expect(await stopped).toBe(0);
        expect(await endedCall(product.record, caller.checkout.id)).toMatchObject({ outcome: 'failed' });
        expect(await sessionStatus(product.record, caller.checkout.id)).toBe('open');
      }));

    test('lets who is about to pay pay, and ends then', () =>
      onProduct({ RINGKEY_DRAIN_SECONDS: '600' }, async ({ product, person }) => {
        const caller = await person();
        await caller.dial();
        const stopped = product.stop('SIGTERM');
        await caller.press(cardKeys('visa'));
        expect(await caller.told()).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
        expect(await stopped).toBe(0);
        expect(await endedCall(product.record, caller.checkout.id)).toMatchObject({ outcome: 'succeeded' });
      }));
  });

  describe.concurrent('SIGKILL with calls up, and a start', () => {
    test('closes the calls in the record; their sessions can be called and paid', () =>
      onProduct({}, async ({ product, person }) => {
        const caller = await person();
        await caller.dial();
        await caller.hears(/card number/);
        expect(await product.stop('SIGKILL')).toBe('SIGKILL');
        await product.startAgain();
        const { id } = caller.checkout;
        expect(await endedCall(product.record, id)).toMatchObject({ outcome: 'lost', charge_id: null });
        expect(await sessionStatus(product.record, id)).toBe('open');
        await pays(await person({ checkout: caller.checkout }), caller);
      }));

    test('settles a charge that was under way, once, and keeps its card as the caller had agreed', () =>
      onProduct({}, async ({ product, person }) => {
        const caller = await person({ fields: { merchant_id: 'mer_demo_market' } });
        await caller.dial();
        await caller.press(`${cardKeys('slow')}1`);
        const { id } = caller.checkout;
        await chargeBegun(product, id);
        expect(await product.stop('SIGKILL')).toBe('SIGKILL');
        await product.startAgain();
        expect(await settledCharges(product.record, id, 90_000)).toMatchObject([{ status: 'succeeded' }]);
        expect(await count(product, 'sandbox_payments')).toBe(1);
        expect(await count(product, 'events', `where type = 'checkout.succeeded'`)).toBe(1);
        // The card is kept after the charge is settled, in a step of its own.
        const kept = () => count(product, 'card_consents', `where status = 'kept' and instrument_id is not null`);
        await soon(20_000, async () => expect(await kept()).toBe(1));
        expect(await count(product, 'instruments', `where merchant_id = 'mer_demo_market' and handle_sealed`)).toBe(1);
        expect(await endedCall(product.record, id)).toMatchObject({ outcome: 'lost' });
        await call(caller.checkout, (again) => again.invites().isRefused(410));
      }));
  });
}

async function count({ record }: Scene['product'], table: string, where = ''): Promise<number> {
  const { rows } = await record.database.query<{ rows: number }>(`select count(*)::int as rows from ${table} ${where}`);
  return rows[0]?.rows ?? 0;
}
