/** The page of a call: its story, what the caller heard, and what to do next, by role. */
import { beforeEach, expect, test } from 'vitest';
import type { TimelineStep } from '../../src/db/calls/calls.ts';
import type { ChargeId, CheckoutSessionId } from '../../src/domain/ids.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { insertEndedCall } from '../support/ended-call.ts';
import { useFixture } from '../support/fixtures.ts';
import { startDashboard } from './dashboard.ts';
import { endedCall, paidCharge, unsettledCharge } from './objects.ts';

const dashboard = useFixture(startDashboard);
beforeEach(() => dashboard.as('owner'));

const said = (text: string, language = 'en-US') => ({ text, language, untilMs: 3_000 });

const TIMELINE: readonly TimelineStep[] = [
  { step: 'invite', atMs: 0 },
  { step: 'answered', atMs: 100 },
  { step: 'say greeting', atMs: 200, said: said('Bonjour <b>Demo Diner</b>.', 'fr-FR'), answerMs: 4_000 },
  { step: 'ask card_number', atMs: 200 },
  { step: 'say ask expiry 1', atMs: 13_000, said: { text: 'La date.', language: 'fr-FR', untilMs: null } },
  { step: 'ask expiry', atMs: 13_000 },
  { step: 'caller hung up', atMs: 14_000 },
];

async function toldCall(session: string, charge: string): Promise<string> {
  const of = { accountId: DEMO_ACCOUNT, mode: 'test', sessionId: session as CheckoutSessionId } as const;
  return insertEndedCall(dashboard.api.database, of, { timeline: TIMELINE, chargeId: charge as ChargeId });
}

test('tells a call as sentences, with what the caller heard in the language of the call', async () => {
  const { charge, session } = await paidCharge(dashboard.api, 'A-1001');
  const { html } = await dashboard.get(`/test/calls/${await toldCall(session, charge)}`);
  expect(html).toContain('Entered the card number in 9.0 s');
  expect(html).toContain('Did not enter the expiry date');
  expect(html).toContain('<span lang="fr-FR">Bonjour &lt;b>Demo Diner&lt;/b>.</span>');
  expect(html).toMatch(/The caller enters keys<\/span> <span class="number">9\.0 s/);
  // The SIP message and the recorded step.
  expect(html.slice(html.indexOf('id="technical"'))).toMatch(/<code>caller hung up<\/code>.*BYE from the caller/);
});

test('shows what the call charged, not the amount of its checkout', async () => {
  const { charge, session } = await paidCharge(dashboard.api, 'A-1002');
  const call = await toldCall(session, charge);
  await dashboard.api.database.query('update charges set amount_cents = 5015 where id = $1', [charge]);
  for (const page of [`/test/calls/${call}`, '/test/calls?order_id=A-1002']) {
    expect((await dashboard.get(page)).html).toContain('$50.15');
  }
});

test('offers what to do next, as the role allows', async () => {
  const { charge, session } = await paidCharge(dashboard.api);
  const call = await toldCall(session, charge);
  const open = await dashboard.api.checkout({
    merchant_id: DEMO_DINER,
    amount_cents: 900,
    caller_phone: '+15550101234',
  });
  const unpaid = await endedCall(dashboard.api, String(open.checkout_session_id));
  const unsettled = await unsettledCharge(dashboard.api);
  const settling = await endedCall(dashboard.api, unsettled.session);
  const refund = `/dashboard/test/charges/${charge}/refund`;
  const settle = `/dashboard/test/charges/${unsettled.charge}/settle`;
  const pages = async () => {
    const html = await Promise.all([call, unpaid, settling].map((id) => dashboard.get(`/test/calls/${id}`)));
    const [paid = '', notPaid = '', unknown = ''] = html.map((page) => page.html);
    return [paid.includes(refund), notPaid.includes('Text pay link'), unknown.includes(settle)];
  };
  expect(await pages()).toEqual([true, true, true]);
  await dashboard.as('support');
  expect(await pages()).toEqual([true, true, false]);
  await dashboard.as('viewer');
  expect(await pages()).toEqual([false, false, false]);
  const { html } = await dashboard.get(`/test/calls/${unpaid}`);
  expect(html).toContain('The caller can still pay: by a link, or in another call.');
  expect(html).toContain(`/dashboard/test/checkouts/${open.checkout_session_id}`);
  expect(html).toContain('/dashboard/test/callers?number=%2B15550101234');
});
