/** Screening: with `create_checkout`, in a session, and the effect of `step_up`. */
import { expect, test } from 'vitest';
import { saveAttestation } from '../../src/db/screening/screen-facts.ts';
import { parseId } from '../../src/domain/ids.ts';
import type { E164 } from '../../src/domain/phone-number.ts';
import type { AttestationAnswer, NumberFacts } from '../../src/domain/screening.ts';
import { deferred } from '../../src/lib/concurrency/deferred.ts';
import type { LookupAnswer } from '../../src/screening/ports.ts';
import { openScreening } from '../../src/screening/screening.ts';
import { eventually } from '../support/checkouts.ts';
import { useFixture } from '../support/fixtures.ts';
import { expectError } from './fixtures.ts';
import { startTestApi } from './test-api.ts';

const CLEAR: NumberFacts = { portCheck: 'clear', lineType: 'mobile', carrier: 'Example Wireless', notes: [] };
const PORTED: NumberFacts = { ...CLEAR, portCheck: 'ported' };
const answered = (facts: NumberFacts): LookupAnswer => ({ status: 'answered', facts });

/** The requests to the fake lookup vendor, and its answers by number. */
const lookups: string[] = [];
const answers = new Map<string, LookupAnswer | Promise<LookupAnswer>>();
const attested = new Map<string, AttestationAnswer | null>();
const checks: string[] = [];
let name = 'standin';

const standIn = {
  get name() {
    return name;
  },
  lookUp: async (number: E164) => {
    lookups.push(number);
    return (await answers.get(number)) ?? answered(CLEAR);
  },
};
const api = useFixture(() =>
  startTestApi({
    screeningOf: (sql) =>
      openScreening({
        sql,
        lookups: { test: standIn, live: null },
        attestations: {
          test: [{ name: 'standin', ask: async ({ platformCallId }) => attested.get(platformCallId) ?? null }],
          live: [],
        },
        limitMs: 10_000,
        onCheck: ({ adapter, result }) => checks.push(`${adapter} ${result}`),
      }),
  }),
);

let callers = 0;
/** A caller with a saved card at the diner and this lookup result. */
async function callerWithCard(answer: LookupAnswer | Promise<LookupAnswer> = answered(CLEAR)) {
  callers += 1;
  const caller_phone = `+1555013${String(callers).padStart(4, '0')}`;
  answers.set(caller_phone, answer);
  const fields = { merchant_id: 'mer_demo_diner', caller_phone };
  const saved = await api.post('/v1/cards', { ...fields, token: 'tok_visa' });
  expect(saved.status, saved.text).toBe(200);
  return { caller_phone, instrument_id: String(saved.body.instrument_id), times: () => lookupsOf(caller_phone) };
}
const lookupsOf = (phone: string) => lookups.filter((number) => number === phone).length;

const open = (caller_phone: string, fields: object = {}) =>
  api.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 4250, caller_phone, ...fields });
const read = async (id: string) => (await api.get(`/v1/checkout_sessions/${id}`)).body;
const charge = (checkout_session_id: string, instrument_id: string) =>
  api.post('/v1/charge', { checkout_session_id, instrument_id });

test('allows a clear number, and shows the result in the session', async () => {
  const { caller_phone, instrument_id } = await callerWithCard();
  const { checkout_session_id: id, cards } = await open(caller_phone);
  expect(cards).toMatchObject([{ instrument_id }]);
  const { screen } = await read(id);
  expect(screen).toEqual({
    decision: 'allow',
    reasons: [],
    notes: [],
    attestation: null,
    ported_recently: false,
    port_check: 'clear',
    line_type: 'mobile',
    carrier: 'Example Wireless',
    checked_at: expect.any(String),
    attested_at: null,
  });
  expect(Math.abs(Date.parse(String((screen as { checked_at: string }).checked_at)) - Date.now())).toBeLessThan(60_000);
  expect((await charge(id, instrument_id)).status).toBe(200);
});

test('offers and charges no cards for a ported number', async () => {
  const { caller_phone, instrument_id } = await callerWithCard(answered(PORTED));
  const opened = await open(caller_phone);
  expect(opened).toMatchObject({ cards: [], default_card_id: null, payment_required: 'required' });
  const { checkout_session_id: id } = opened;
  expect(await read(id)).toMatchObject({
    cards: [],
    default_card_id: null,
    screen: { decision: 'step_up', reasons: ['ported_recently'], ported_recently: true, port_check: 'ported' },
  });
  const refused = await charge(id, instrument_id);
  expectError(refused, 'needs_enrollment', 'instrument_id');
  expect(refused.body.error).toMatchObject({ agent_action: 'send_link' });
  expect(JSON.stringify(refused.body)).not.toMatch(/port|swap|screen|carrier/i);
});

test('does not wait for a slow lookup, and applies its result later', async () => {
  const slow = deferred<LookupAnswer>();
  const { caller_phone, instrument_id } = await callerWithCard(slow.promise);
  const { checkout_session_id: id, cards } = await open(caller_phone);
  expect(cards).toHaveLength(1);
  expect(await read(id)).toMatchObject({ screen: null, cards: [{ instrument_id }] });
  slow.resolve(answered({ ...PORTED, portCheck: 'swapped' }));
  await eventually(120_000, async () =>
    expect(await read(id)).toMatchObject({ cards: [], screen: { reasons: ['sim_swapped_recently'] } }),
  );
  expectError(await charge(id, instrument_id), 'needs_enrollment', 'instrument_id');
});

test('notes a failed lookup, and repeats it at the next checkout', async () => {
  const { caller_phone, instrument_id, times } = await callerWithCard({
    status: 'failed',
    failure: 'number_lookup_unavailable',
  });
  const { checkout_session_id: id, cards } = await open(caller_phone);
  expect(cards).toHaveLength(1);
  expect((await read(id)).screen).toMatchObject({
    decision: 'allow',
    reasons: [],
    notes: ['number_lookup_unavailable'],
    port_check: 'unknown',
    line_type: 'unknown',
    carrier: null,
    ported_recently: false,
  });
  answers.set(caller_phone, answered(PORTED));
  expect((await open(caller_phone)).cards).toEqual([]);
  expect(times()).toBe(2);
  // It applies to the first session, too.
  expect((await read(id)).screen).toMatchObject({ decision: 'step_up', notes: [] });
  expectError(await charge(id, instrument_id), 'needs_enrollment', 'instrument_id');
});

test('reuses a result for 24 hours', async () => {
  const { caller_phone, times } = await callerWithCard(answered(PORTED));
  const first = await open(caller_phone);
  await open(caller_phone);
  expect(times()).toBe(1);
  const age = (hours: number) =>
    api.database.query(`update number_lookups set checked_at = now() - $2 * interval '1 hour' where phone = $1`, [
      caller_phone,
      hours,
    ]);
  await age(23.9);
  expect((await open(caller_phone)).cards).toEqual([]);
  expect(times()).toBe(1);
  await age(24.1);
  answers.set(caller_phone, { status: 'failed', failure: 'number_lookup_timed_out' });
  // An answer that is too old to be reused still counts while there is none in its place.
  expect((await open(caller_phone)).cards).toEqual([]);
  expect(times()).toBe(2);
  expect((await read(first.checkout_session_id)).screen).toMatchObject({
    decision: 'step_up',
    notes: ['number_lookup_timed_out'],
  });
  answers.set(caller_phone, answered(CLEAR));
  expect((await open(caller_phone)).cards).toHaveLength(1);
  expect(times()).toBe(3);
  name = 'another';
  await open(caller_phone);
  name = 'standin';
  expect(times()).toBe(4);
});

test('looks up nothing without a payment or a caller', async () => {
  const caller_phone = '+15550138888';
  const before = lookups.length;
  await open(caller_phone, { merchant_id: 'mer_demo_free' });
  await api.checkout({ merchant_id: 'mer_demo_diner', amount_cents: 100 });
  expect(lookups.length).toBe(before);
  await open(caller_phone);
  expect(lookupsOf(caller_phone)).toBe(1);
});

test.each([
  [{ attestation: 'A' }, { decision: 'allow', reasons: [], attestation: 'A', notes: [] }],
  [{ attestation: 'B' }, { decision: 'allow', reasons: [], attestation: 'B', notes: [] }],
  [{ attestation: 'C' }, { decision: 'step_up', reasons: ['attestation_c'], attestation: 'C', notes: [] }],
  [{ attestation: 'Failed' }, { decision: 'step_up', reasons: ['attestation_failed'], attestation: 'Failed' }],
  [
    { attestation: null, note: 'attestation_missing' },
    { decision: 'allow', attestation: null, notes: ['attestation_missing'] },
  ],
] as const)('an attestation %j counts beside a look-up that is clear', async (answer, expected) => {
  const { caller_phone } = await callerWithCard();
  const platform_call_id = `call-${callers}`;
  attested.set(platform_call_id, answer);
  const { checkout_session_id: id, cards } = await open(caller_phone, { platform_call_id });
  expect(cards).toHaveLength(expected.decision === 'allow' ? 1 : 0);
  const { screen } = await read(id);
  expect(screen).toMatchObject({ ...expected, port_check: 'clear', attested_at: expect.any(String) });
});

test('applies an attestation that arrives later', async () => {
  const { caller_phone, instrument_id } = await callerWithCard();
  const { checkout_session_id: id, cards } = await open(caller_phone);
  expect(cards).toHaveLength(1);
  const sessionId = parseId('CheckoutSession', id);
  if (sessionId === null) throw new Error('no session id');
  await saveAttestation(api.database, sessionId, 'invite', { attestation: 'A' });
  expect((await read(id)).screen).toMatchObject({ decision: 'allow', attestation: 'A' });
  await saveAttestation(api.database, sessionId, 'invite', { attestation: 'Failed' });
  expect(await read(id)).toMatchObject({ cards: [], screen: { decision: 'step_up', attestation: 'Failed' } });
  expectError(await charge(id, instrument_id), 'needs_enrollment', 'instrument_id');
  // The same source, of another call: it takes nothing back.
  await saveAttestation(api.database, sessionId, 'invite', { attestation: 'A' });
  await saveAttestation(api.database, sessionId, 'invite', { attestation: null, note: 'call_not_attested' });
  expect((await read(id)).screen).toMatchObject({ decision: 'step_up', attestation: 'Failed', notes: [] });
});

test('deletes the result when the caller is erased', async () => {
  const { caller_phone } = await callerWithCard(answered(PORTED));
  attested.set('call-erased', { attestation: 'C' });
  const { checkout_session_id: id } = await open(caller_phone, { platform_call_id: 'call-erased' });
  expect(await read(id)).toMatchObject({ screen: { reasons: ['ported_recently', 'attestation_c'] } });
  const { body } = await api.post('/v1/identify', { caller_phone });
  const { id: consumer } = body.consumer as { id: string };
  expect((await api.send('DELETE', `/v1/consumers/${consumer}`)).status).toBe(200);
  expect(await read(id)).toMatchObject({ screen: null, caller_phone: null });
  const { rows } = await api.database.query(
    `select 1 from number_lookups where phone = $1 union all select 1 from session_attestations where session_id = $2`,
    [caller_phone, id],
  );
  expect(rows).toEqual([]);
});

test('logs at most two digits of a number', async () => {
  const { caller_phone } = await callerWithCard({ status: 'failed', failure: 'number_lookup_refused' });
  await open(caller_phone);
  const lines = api.log.filter((line) => line.includes('number lookup failed'));
  expect(lines.at(-1)).toContain(`…${caller_phone.slice(-2)}`);
  expect(lines.join('')).not.toContain(caller_phone.slice(-5));
  expect(checks).toContain('standin number_lookup_refused');
});
