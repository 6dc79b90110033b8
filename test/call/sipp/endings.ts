/**
 * Complete calls by SIPp, a SIP stack other than ours: paid, and returned to the agent in every way. The scripted
 * caller covers unpaid calls and other kinds of keys (scripts.test.ts, key-kinds.test.ts).
 */
import { describe, expect, test } from 'vitest';
import type { CallerScenario } from '../../sipp/caller-scenario.ts';
import {
  type Checkout,
  eventually,
  listCalls,
  listCharges,
  readSessionStatus,
  waitForEndedCall,
} from '../../support/checkouts.ts';
import { canSendRtp, header, outcomeOf, received } from '../../support/sipp.ts';
import {
  cardKeys,
  createCheckoutAndCall,
  expectSignedOutcome,
  placeCall,
  startSippAgent,
  UNREACHABLE_AGENT_URI,
  uriHeaders,
} from '../../support/sipp-calls.ts';
import { TestCaller } from '../../support/test-caller.ts';
import { product } from './shared-product.ts';

const GOOD = cardKeys('visa');

/** A caller whose phone accepts no REFER pays, and hangs up after this step of the call. */
async function hangsUpAfter(step: string, returnTo: string): Promise<Checkout> {
  const caller = await TestCaller.create(product(), { fields: { return_to: returnTo }, takesRefer: false });
  try {
    await caller.dial();
    await caller.press(GOOD);
    await eventually(180_000, async () => {
      const [call] = await listCalls(product().testDatabase, caller.checkout.id);
      expect(call?.steps).toContain(step);
    });
    await caller.hangUp();
    return caller.checkout;
  } finally {
    await caller.close();
  }
}

export function endings(): void {
  describe.runIf(canSendRtp).concurrent('a caller who pays', () => {
    test.each([
      ['over UDP, µ-law', { codecs: '0 96' }, {}],
      ['over UDP, A-law only', { codecs: '8 96' }, {}],
      ['over TCP', { codecs: '0 96' }, { transport: 'tcp' }],
    ] as const)('%s is charged once and referred back with the outcome', async (_how, { codecs }, options) => {
      const { checkout, run } = await createCheckoutAndCall(
        product(),
        { return_to: UNREACHABLE_AGENT_URI, order_id: 'order_1001', allow_repeat: true, platform_call_id: 'pc "1"' },
        (caller) =>
          caller
            .invites(codecs)
            .isAnswered()
            .keys(GOOD)
            .isReferred()
            .notifies('100 Trying')
            .notifies('200 OK')
            .isHungUpOn(),
        options,
      );
      const ended = await waitForEndedCall(product().testDatabase, checkout.id);
      const [charge] = await listCharges(product().testDatabase, checkout.id);
      expect(charge).toMatchObject({ status: 'succeeded', amount_cents: 4_250 });
      expect(ended).toMatchObject({ outcome: 'succeeded', return_mode: 'refer', charge_id: charge?.id });
      expect(await readSessionStatus(product().testDatabase, checkout.id)).toBe('complete');

      const refer = received(run, 'REFER');
      const headers = outcomeOf(refer);
      expect(headers).toMatchObject({
        'X-Ringkey-Outcome': 'succeeded',
        'X-Ringkey-Session': checkout.id,
        'X-Ringkey-Charge': charge?.id,
        'X-Ringkey-Amount': '4250',
        'X-Ringkey-Currency': 'USD',
        'X-Ringkey-Order': 'order_1001',
        'X-Ringkey-Call': 'pc%20%221%22',
      });
      await expectSignedOutcome(product(), headers);
      const referTo = header(refer, 'Refer-To') ?? '';
      expect(referTo.startsWith(`<${UNREACHABLE_AGENT_URI}?`)).toBe(true);
      // User-to-User repeats all headers, but only on the REFER, so that Refer-To stays short.
      const { 'User-to-User': _onTheRefer, ...plain } = headers;
      expect(uriHeaders(referTo)).toEqual(plain);

      await placeCall(checkout, (again) => again.invites().isRefused(410));
      expect(await listCharges(product().testDatabase, checkout.id)).toHaveLength(1);
    });

    test('after an INVITE without SDP gets the offer in the 200 and answers in the ACK', async () => {
      const { checkout, run } = await createCheckoutAndCall(product(), { return_to: UNREACHABLE_AGENT_URI }, (caller) =>
        caller.invites(null).isAnswered('0 96').keys(GOOD).isReferred().notifies('200 OK').isHungUpOn(),
      );
      expect(received(run, 'SIP/2.0 200').text).toMatch(/^m=audio \d+ RTP\/AVP .*\b0\b/m);
      expect(await waitForEndedCall(product().testDatabase, checkout.id)).toMatchObject({ outcome: 'succeeded' });
    });

    test.each([
      ['the merchant’s own words', { success_message: 'Thanks, your table is booked.' }],
      ['the default words', {}],
    ])('without a return_to hears %s and gets a BYE', async (_which, fields) => {
      const { checkout } = await createCheckoutAndCall(product(), fields, (caller) =>
        caller.invites().isAnswered().keys(GOOD).isHungUpOn(),
      );
      expect(await waitForEndedCall(product().testDatabase, checkout.id)).toMatchObject({
        outcome: 'succeeded',
        return_mode: null,
      });
      expect(await listCharges(product().testDatabase, checkout.id)).toMatchObject([{ status: 'succeeded' }]);
    });
  });

  describe.runIf(canSendRtp).concurrent('the return to the agent', () => {
    test.each([
      ['is refused', (caller: CallerScenario) => caller.isReferred('603 Decline')],
      [
        'fails',
        (caller: CallerScenario) => caller.isReferred().notifies('100 Trying').notifies('503 Service Unavailable'),
      ],
      ['has no result in 10 s', (caller: CallerScenario) => caller.isReferred().notifies('100 Trying')],
    ])('is a bridge to the agent if the REFER %s', async (_how, refer) => {
      const { sipp, returnTo } = await startSippAgent((waiting) => waiting.rings(300).answers().talks(500).hangsUp());
      const { checkout } = await createCheckoutAndCall(product(), { return_to: returnTo }, (caller) =>
        refer(caller.invites().isAnswered().keys(GOOD)).isHungUpOn(),
      );
      const headers = outcomeOf(received(await sipp.done, 'INVITE'));
      expect(headers).toMatchObject({ 'X-Ringkey-Outcome': 'succeeded', 'X-Ringkey-Session': checkout.id });
      await expectSignedOutcome(product(), headers);
      expect(await waitForEndedCall(product().testDatabase, checkout.id)).toMatchObject({
        outcome: 'succeeded',
        return_mode: 'bridge',
      });
    });

    test('is a bridge for a phone without REFER, and the agent’s BYE ends the caller’s call', async () => {
      const { sipp, returnTo } = await startSippAgent((waiting) =>
        waiting.rings(1_000).answers().talks(1_000).hangsUp(),
      );
      const { checkout } = await createCheckoutAndCall(
        product(),
        { return_to: `${returnTo}?X-Agent-Ticket=42` },
        (caller) => caller.invites().isAnswered().keys(GOOD).isHungUpOn(),
        { takesRefer: false },
      );
      const invite = received(await sipp.done, 'INVITE');
      expect(header(invite, 'X-Agent-Ticket')).toBe('42');
      await expectSignedOutcome(product(), outcomeOf(invite));
      const ended = await waitForEndedCall(product().testDatabase, checkout.id);
      expect(ended).toMatchObject({ outcome: 'succeeded', return_mode: 'bridge' });
      expect(ended.return_sip_call_id).toBe(header(invite, 'Call-ID'));
      expect(ended.steps).toEqual(expect.arrayContaining(['agent ringing', 'bridged', 'agent hung up']));
    });

    test('over a bridge ends for the agent when the caller hangs up', async () => {
      const { sipp, returnTo } = await startSippAgent((waiting) => waiting.answers().isHungUpOn());
      const checkout = await hangsUpAfter('bridged', returnTo);
      await sipp.done;
      expect(await waitForEndedCall(product().testDatabase, checkout.id)).toMatchObject({
        outcome: 'succeeded',
        return_mode: 'bridge',
      });
    });

    test('is canceled when the caller hangs up while the agent rings', async () => {
      const { sipp, returnTo } = await startSippAgent((waiting) => waiting.rings(0).isCanceled());
      const checkout = await hangsUpAfter('agent ringing', returnTo);
      await sipp.done;
      expect(await waitForEndedCall(product().testDatabase, checkout.id)).toMatchObject({
        outcome: 'succeeded',
        return_mode: null,
      });
    });

    test('ends with a goodbye if the agent does not answer', async () => {
      const { sipp, returnTo } = await startSippAgent((waiting) => waiting.refuses('480 Temporarily Unavailable'));
      const { checkout } = await createCheckoutAndCall(
        product(),
        { return_to: returnTo },
        (caller) => caller.invites().isAnswered().keys(GOOD).isHungUpOn(),
        { takesRefer: false },
      );
      await sipp.done;
      const ended = await waitForEndedCall(product().testDatabase, checkout.id);
      expect(ended).toMatchObject({ outcome: 'succeeded', return_mode: null });
      expect(ended.steps).toEqual(expect.arrayContaining(['bridge failed 480', 'say goodbye']));
    });

    test.each([
      ['the agent cannot be reached', 'sip:nobody@127.0.0.1:9', { takesRefer: false }],
      ['it is a web address', 'https://example.com/orders/1001', {}],
    ])('ends with a goodbye if %s', async (_why, returnTo, options) => {
      const { checkout } = await createCheckoutAndCall(
        product(),
        { return_to: returnTo },
        (caller) => caller.invites().isAnswered().keysAndListens(GOOD, 5_000).isQuiet(60).isHungUpOn(),
        options,
      );
      const ended = await waitForEndedCall(product().testDatabase, checkout.id);
      expect(ended).toMatchObject({ outcome: 'succeeded', return_mode: null });
      expect(await listCharges(product().testDatabase, checkout.id)).toMatchObject([{ status: 'succeeded' }]);
    });
  });
}
