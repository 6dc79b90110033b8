/** PostgreSQL or Redis is away, when a call lands or in the middle of one. */
import { describe, expect, test } from 'vitest';
import { call, cardKeys } from '../../support/sipp-calls.ts';
import {
  callsOf,
  chargesOf,
  endedCall,
  openCheckout,
  sessionStatus,
  settledCharges,
  soon,
} from '../../support/checkouts.ts';
import { header, received } from '../../support/sipp.ts';
import { behindProxies, chargeBegun, pays, ready } from './fault-harness.ts';

export function recordFaults(): void {
  describe.concurrent('without its PostgreSQL', () => {
    test.each(['cut', 'stall'] as const)('(%s) a call that lands is told to come back, and may', (how) =>
      behindProxies(async ({ product, person, postgres }) => {
        const checkout = await openCheckout(product);
        postgres[how]();
        const run = await call(checkout, (caller) => caller.invites().isRefused(503));
        expect(Number(header(received(run, 'SIP/2.0 503'), 'Retry-After'))).toBeGreaterThan(0);
        postgres.restore();
        await ready(product);
        await soon(30_000, async () => {
          const open = (await callsOf(product.record, checkout.id)).filter(({ ended_at }) => ended_at === null);
          expect(open).toEqual([]);
        });
        await call(checkout, (caller) => caller.invites().isAnswered().hangsUp());
        await pays(await person());
      }),
    );

    test('a call in the middle of the card hears an apology and is taken back; nothing is charged', () =>
      behindProxies(async ({ product, person, postgres }) => {
        const caller = await person();
        await caller.dial();
        await caller.hears(/card number/);
        postgres.cut();
        await caller.press(cardKeys('visa'));
        await caller.hears(/can't take a payment/);
        expect(await caller.told()).toMatchObject({ 'X-Ringkey-Outcome': 'failed', 'X-Ringkey-Reason': 'error' });
        postgres.restore();
        const { id } = caller.checkout;
        expect(await endedCall(product.record, id)).toMatchObject({ outcome: 'failed', reason: 'error' });
        expect(await chargesOf(product.record, id)).toEqual([]);
        expect(await sessionStatus(product.record, id)).toBe('open');
        await ready(product);
        await pays(await person());
      }));

    test('a charge under way is not lost: told as pending, settled once', () =>
      behindProxies(async ({ product, person, postgres }) => {
        const caller = await person();
        await caller.dial();
        await caller.press(cardKeys('slow'));
        const { id } = caller.checkout;
        await chargeBegun(product, id);
        postgres.cut();
        expect(await caller.told()).toMatchObject({ 'X-Ringkey-Outcome': 'pending' });
        expect(caller.heard.join(' ')).toMatch(/don't pay again/);
        postgres.restore();
        expect(await settledCharges(product.record, id)).toMatchObject([{ status: 'succeeded' }]);
        expect(await endedCall(product.record, id)).toMatchObject({ outcome: 'pending' });
      }));
  });

  test.concurrent('without its Redis calls land and go on as ever', () =>
    behindProxies(async ({ product, person, redis }) => {
      const early = await person();
      await early.dial();
      const late = await person();
      redis.cut();
      await Promise.all([
        early.press(cardKeys('visa')).then(async () => {
          expect(await early.told()).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
        }),
        pays(late),
      ]);
      redis.restore();
      await ready(product);
    }));
}
