/** Incoming calls by SIPp: accepted ones, refused ones, and callers who give up early. */
import { describe, expect, test } from 'vitest';
import { createSipAgent } from '../../../src/local/softswitch/sip/index.ts';
import { CallerScenario } from '../../sipp/caller-scenario.ts';
import {
  type Checkout,
  createCheckout,
  eventually,
  listCalls,
  listCharges,
  readSessionStatus,
  waitForEndedCall,
} from '../../support/checkouts.ts';
import { ackOf, cancelOf, OFFER, openRawSipSocket, rawInvite } from '../../support/raw-sip.ts';
import { canSendRtp, outcomeOf, received, runCaller } from '../../support/sipp.ts';
import { createCheckoutAndCall, placeCall, UNREACHABLE_AGENT_URI } from '../../support/sipp-calls.ts';
import { TestCaller } from '../../support/test-caller.ts';
import { line, product, TRANSFER_NUMBER, TRUNK } from './shared-product.ts';

async function dial(user: string, status: number, localAddress = '127.0.0.1', number = '+15550101234'): Promise<void> {
  const caller = new CallerScenario(`sip:${user}@${line()}`, { number }).invites().isRefused(status);
  await runCaller({ scenario: caller.xml, remote: line(), localAddress });
}

const userOf = ({ transferTo }: Checkout) => transferTo.slice('sip:'.length, transferTo.indexOf('@'));

/** Longer than a call without an ACK stays up: 64 × T1, 32 s. drachtio-server ignores an ACK after a late CANCEL. */
const UNACKNOWLEDGED_MS = 120_000;

/** Expects that no part of the call is left: the session can be called and answered again. */
async function expectPayable(checkout: Checkout): Promise<void> {
  await eventually(UNACKNOWLEDGED_MS, async () => {
    const open = (await listCalls(product().testDatabase, checkout.id)).filter(({ ended_at }) => ended_at === null);
    expect(open).toEqual([]);
  });
  expect(await readSessionStatus(product().testDatabase, checkout.id)).toBe('open');
  expect(await listCharges(product().testDatabase, checkout.id)).toEqual([]);
  await placeCall(checkout, (again) => again.invites().isAnswered().hangsUp());
}

export function arrivals(): void {
  describe.concurrent('a call to a token', () => {
    test('that was never issued gets 404', async () => {
      const user = userOf(await createCheckout(product()));
      await dial(`${user.slice(0, -3)}${user.endsWith('zzz') ? 'yyy' : 'zzz'}`, 404);
      await dial(`cs_${'a'.repeat(26)}-${'b'.repeat(26)}`, 404);
      await dial('operator', 404);
    });

    test('that has expired gets 410', async () => {
      const checkout = await createCheckout(product());
      await product().testDatabase.database.query(
        `update checkout_sessions set expires_at = now() - interval '1 second' where id = $1`,
        [checkout.id],
      );
      await dial(userOf(checkout), 410);
    });

    test('whose session has a live call gets 486, and the first call continues', async () => {
      const checkout = await createCheckout(product());
      const first = await TestCaller.create(product(), { checkout });
      await first.dial();
      await dial(userOf(checkout), 486);
      expect(await listCalls(product().testDatabase, checkout.id)).toMatchObject([{ ended_at: null }]);
      await first.hangUp();
      await waitForEndedCall(product().testDatabase, checkout.id);
      await first.close();
    });
  });

  test.concurrent('an offer without a common codec gets 488, and the session can be called again', async () => {
    const checkout = await createCheckout(product());
    await placeCall(checkout, (caller) => caller.invites('18').isRefused(488));
    await expectPayable(checkout);
  });

  describe.concurrent('a call to the number', () => {
    test('from a stranger gets 403', async () => {
      await createCheckout(product(), { caller_phone: '+15550107001' });
      await dial(TRANSFER_NUMBER, 403, '127.0.0.1', '+15550107001');
    });

    test('from a trunk, by a caller without a session, is answered for a transfer code and then hung up on', async () => {
      await createCheckout(product());
      const caller = new CallerScenario(`sip:${TRANSFER_NUMBER}@${line()}`, { number: '+15550107002' });
      const scenario = caller.invites().isAnswered().isHungUpOn().xml;
      await runCaller({ scenario, remote: line(), localAddress: TRUNK });
    });

    test.runIf(canSendRtp)('from a trunk reaches the caller’s newest session, by P-Asserted-Identity', async () => {
      const number = '+15550107003';
      const fields = { caller_phone: number, return_to: UNREACHABLE_AGENT_URI };
      const older = await createCheckout(product(), fields);
      const newer = await createCheckout(product(), fields);
      expect(newer.transferToNumber).toBe(TRANSFER_NUMBER);
      const caller = new CallerScenario(`sip:${TRANSFER_NUMBER}@${line()}`, {
        number: 'anonymous',
        headers: [`P-Asserted-Identity: <sip:${number}@trunk.example.com>`],
      });
      const scenario = caller.invites().isAnswered().keys('**').isReferred().notifies('200 OK').isHungUpOn().xml;
      const run = await runCaller({ scenario, remote: line(), localAddress: TRUNK });
      expect(outcomeOf(received(run, 'REFER'))).toMatchObject({
        'X-Ringkey-Outcome': 'canceled',
        'X-Ringkey-Session': newer.id,
      });
      expect(await listCalls(product().testDatabase, older.id)).toEqual([]);
    });
  });

  describe.concurrent('a caller who gives up', () => {
    test.each([
      ['once it hears 100', (caller: CallerScenario) => caller.invites().isTrying().cancels().isCanceled()],
      ['when the 200 is already there', (caller: CallerScenario) => caller.invites().cancelsTooLate()],
    ])('%s leaves nothing behind', async (_when, steps) => {
      const { checkout } = await createCheckoutAndCall(product(), {}, steps);
      await expectPayable(checkout);
    });

    test('before it hears anything leaves nothing behind', async () => {
      const wire = await openRawSipSocket(line());
      const checkout = await createCheckout(product());
      const invite = rawInvite(checkout.transferTo, wire.address, { body: OFFER });
      wire.send(invite, cancelOf(invite));
      const final = await wire.next((text) => /^SIP\/2\.0 [2-6]/.test(text) && /^CSeq: 1 INVITE/m.test(text));
      expect(final).toMatch(/^SIP\/2\.0 487/);
      wire.send(ackOf(invite, final));
      await wire.close();
      await expectPayable(checkout);
    });

    test('at any moment between INVITE and 200 leaves nothing behind', async () => {
      const phone = await createSipAgent({ address: '127.0.0.1', port: 0, userAgent: 'hasty' });
      const givesUp = async (afterMs: number) => {
        const checkout = await createCheckout(product());
        const invite = phone.request({
          method: 'INVITE',
          uri: checkout.transferTo,
          headers: { 'Content-Type': 'application/sdp' },
          body: OFFER,
        });
        const giveUp = setTimeout(() => invite.cancel(), afterMs);
        const { status } = await invite.final;
        clearTimeout(giveUp);
        await invite.dialog?.bye().final;
        expect([200, 487]).toContain(status);
        await expectPayable(checkout);
      };
      await Promise.all([0, 2, 4, 7, 10, 14, 20, 30].map(givesUp));
      await phone.close();
    });

    test('without acknowledging the 200 is hung up after 32 s', async () => {
      const { checkout } = await createCheckoutAndCall(product(), {}, (caller) =>
        caller.invites().leavesTheAnswerUnacknowledged(),
      );
      expect(await waitForEndedCall(product().testDatabase, checkout.id, UNACKNOWLEDGED_MS)).toMatchObject({
        outcome: 'canceled',
      });
      await expectPayable(checkout);
    });
  });
}
