/** PostgreSQL or Redis is unavailable when a call arrives or during a call. */
import { describe, expect, test } from 'vitest';
import {
  createCheckout,
  eventually,
  listCalls,
  listCharges,
  readSessionStatus,
  waitForEndedCall,
  waitForSettledCharges,
} from '../../support/checkouts.ts';
import { header, received } from '../../support/sipp.ts';
import { cardKeys, placeCall } from '../../support/sipp-calls.ts';
import { payByPhone, waitForPendingCharge, waitForReady, withProxiedServers } from './fault-harness.ts';

export function recordFaults(): void {
  describe.concurrent('without its PostgreSQL', () => {
    test.each(['cut', 'stall'] as const)('(%s) a new call gets 503 with Retry-After, and succeeds later', (how) =>
      withProxiedServers(async ({ product, newCaller, postgres }) => {
        const checkout = await createCheckout(product);
        postgres[how]();
        const run = await placeCall(checkout, (caller) => caller.invites().isRefused(503));
        const refusal = received(run, 'SIP/2.0 503');
        expect(Number(header(refusal, 'Retry-After'))).toBeGreaterThan(0);
        postgres.restore();
        await waitForReady(product);
        await eventually(180_000, async () => {
          const open = (await listCalls(product.testDatabase, checkout.id)).filter(({ ended_at }) => ended_at === null);
          expect(open).toEqual([]);
        });
        await placeCall(checkout, (caller) => caller.invites().isAnswered().hangsUp());
        await payByPhone(await newCaller());
      }),
    );

    test('a caller who is entering a card hears an apology and returns to the agent uncharged', () =>
      withProxiedServers(async ({ product, newCaller, postgres }) => {
        const caller = await newCaller();
        await caller.dial();
        await caller.waitForSentence(/card number/);
        postgres.cut();
        await caller.press(cardKeys('visa'));
        await caller.waitForSentence(/can't take a payment/);
        expect(await caller.outcomeHeadersAfterCall()).toMatchObject({
          'X-Ringkey-Outcome': 'failed',
          'X-Ringkey-Reason': 'error',
        });
        postgres.restore();
        const { id } = caller.checkout;
        expect(await waitForEndedCall(product.testDatabase, id)).toMatchObject({ outcome: 'failed', reason: 'error' });
        expect(await listCharges(product.testDatabase, id)).toEqual([]);
        expect(await readSessionStatus(product.testDatabase, id)).toBe('open');
        await waitForReady(product);
        await payByPhone(await newCaller());
      }));

    test('a charge in progress is not lost: reported as pending, and settled once', () =>
      withProxiedServers(async ({ product, newCaller, postgres }) => {
        const caller = await newCaller();
        await caller.dial();
        await caller.press(cardKeys('slow'));
        const { id } = caller.checkout;
        await waitForPendingCharge(product, id);
        postgres.cut();
        expect(await caller.outcomeHeadersAfterCall()).toMatchObject({ 'X-Ringkey-Outcome': 'pending' });
        // "We couldn't confirm this yet", "We're still confirming". A slow machine may lose the end of the sentence.
        expect(caller.heard.join(' ')).toMatch(/couldn't confirm|still confirming|don't pay again/);
        postgres.restore();
        expect(await waitForSettledCharges(product.testDatabase, id)).toMatchObject([{ status: 'succeeded' }]);
        expect(await waitForEndedCall(product.testDatabase, id)).toMatchObject({ outcome: 'pending' });
      }));
  });

  test.concurrent('calls arrive and continue as usual without Redis', () =>
    withProxiedServers(async ({ product, newCaller, redis }) => {
      const early = await newCaller();
      await early.dial();
      const late = await newCaller();
      redis.cut();
      await Promise.all([
        early.press(cardKeys('visa')).then(async () => {
          expect(await early.outcomeHeadersAfterCall()).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded' });
        }),
        payByPhone(late),
      ]);
      redis.restore();
      await waitForReady(product);
    }));
}
