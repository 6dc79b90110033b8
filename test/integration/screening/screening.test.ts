/** Screening of checkouts: which adapters it asks in which mode, for how long, and what it stores. */
import { expect, test, vi } from 'vitest';
import { numberLookupsOf } from '../../../src/app/screening.ts';
import { readConfig } from '../../../src/config/config.ts';
import { readCheckouts } from '../../../src/db/sessions/checkouts.ts';
import type { E164 } from '../../../src/domain/phone-number.ts';
import { decideScreen, type LookupBudget, type NumberFacts } from '../../../src/domain/screening.ts';
import type { Mode } from '../../../src/domain/session.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import type { AttestationSource, LookupAnswer, NumberLookup } from '../../../src/screening/ports.ts';
import { openScreening, type ScreeningCheck, type ScreeningDeps } from '../../../src/screening/screening.ts';
import { useTestDatabase } from '../../support/fixtures.ts';
import { createTestMerchant, createTestSession } from '../../support/test-merchants.ts';

const db = useTestDatabase();
const CLEAR: NumberFacts = { portCheck: 'clear', lineType: 'mobile', carrier: null, notes: [] };
const log = { warn: () => undefined, error: () => undefined };

/** Creates a session of a new account, and screening with these adapters. */
async function screened(mode: Mode, deps: Partial<ScreeningDeps>) {
  const merchant = await createTestMerchant(db.database, { mode });
  const id = await createTestSession(db.database, merchant, { callerPhone: '+15550101234' });
  const checks: ScreeningCheck[] = [];
  const screening = openScreening({
    sql: db.database,
    limitMs: 120_000,
    onCheck: (check: ScreeningCheck) => checks.push(check),
    lookups: { test: null, live: null },
    attestations: { test: [], live: [] },
    ...deps,
  });
  const session = {
    ...merchant,
    id,
    callerPhone: '+15550101234' as E164,
    platformCallId: 'call-1',
    attestationUrl: null,
  };
  const screen = () => screening.screenCaller(session, null, log);
  const read = async () => (await readCheckouts(db.database, [id]))[0]?.screen ?? null;
  return { screen, read, results: () => checks.map(({ result }) => result), id };
}

/** A lookup with this answer that counts its calls. */
function lookupThat(lookUp: NumberLookup['lookUp']) {
  return { name: 'standin', lookUp: vi.fn<NumberLookup['lookUp']>(lookUp) };
}
const clear = () => lookupThat(async () => ({ status: 'answered', facts: CLEAR }));
const sourceThat = (ask: AttestationSource['ask']): AttestationSource => ({ name: 'standin', ask });

test.each(['test', 'live'] as const)('asks only the lookup of the mode for a session in %s mode', async (mode) => {
  const lookups = { test: clear(), live: clear() };
  const { screen, read } = await screened(mode, { lookups });
  await screen().settled;
  expect(lookups[mode].lookUp).toHaveBeenCalledExactlyOnceWith('+15550101234', expect.any(AbortSignal));
  expect(lookups[mode === 'test' ? 'live' : 'test'].lookUp).not.toHaveBeenCalled();
  expect(await read()).toMatchObject({ decision: 'allow', portCheck: 'clear' });
});

test('shares one lookup between concurrent checkouts of a caller', async () => {
  const held = deferred<LookupAnswer>();
  const live = lookupThat(() => held.promise);
  const { screen, read } = await screened('live', { lookups: { test: null, live } });
  const runs = [screen(), screen(), screen()];
  held.resolve({ status: 'answered', facts: { ...CLEAR, portCheck: 'ported' } });
  await Promise.all(runs.map(({ settled }) => settled));
  expect(runs.map(({ facts }) => decideScreen(facts)?.decision)).toEqual(['step_up', 'step_up', 'step_up']);
  expect(live.lookUp).toHaveBeenCalledOnce();
  expect(await read()).toMatchObject({ decision: 'step_up' });
});

test.each([
  [{}, null, null],
  [{ RINGKEY_DEMO: 'on' }, 'sandbox', null],
  [{ RINGKEY_DEMO: 'on', RINGKEY_NUMBER_LOOKUP: 'off' }, null, null],
  [{ RINGKEY_NUMBER_LOOKUP: 'sandbox' }, 'sandbox', null],
  [{ RINGKEY_NUMBER_LOOKUP: 'telnyx', TELNYX_API_KEY: 'KEY' }, 'sandbox', 'telnyx'],
  [{ RINGKEY_NUMBER_LOOKUP: 'twilio', TWILIO_ACCOUNT_SID: 'AC', TWILIO_AUTH_TOKEN: 'x' }, 'sandbox', 'twilio'],
])('reads from the settings %j the lookup of test mode (%s) and of live mode (%s)', (settings, test, live) => {
  const lookups = numberLookupsOf(readConfig(settings));
  expect([lookups.test?.name ?? null, lookups.live?.name ?? null]).toEqual([test, live]);
});

test('adds a note for a lookup and an attestation that exceed the time limit', async () => {
  const never = <T>(signal: AbortSignal) => new Promise<T>((_, reject) => signal.addEventListener('abort', reject));
  const { screen, read, results } = await screened('live', {
    lookups: { test: null, live: lookupThat((_, signal) => never(signal)) },
    attestations: { test: [], live: [sourceThat((_, signal) => never(signal))] },
    limitMs: 20,
  });
  await screen().settled;
  const notes = ['number_lookup_timed_out', 'attestation_timed_out'];
  expect(await read()).toMatchObject({ decision: 'allow', reasons: [], notes });
  expect(results().sort()).toEqual([...notes].sort());
});

test('allows the session if adapters break their contract and throw', async () => {
  const broken = () => Promise.reject(new Error('broken'));
  const { screen, read } = await screened('live', {
    lookups: { test: null, live: lookupThat(broken) },
    attestations: { test: [], live: [sourceThat(broken)] },
  });
  await screen().settled;
  expect(await read()).toMatchObject({ decision: 'allow', reasons: [] });
});

test('pauses a vendor after five failures in a row, but never the sandbox', async () => {
  const failing = lookupThat(async () => ({ status: 'failed', failure: 'number_lookup_unavailable' }));
  const { screen, read, results } = await screened('live', { lookups: { test: null, live: failing } });
  for (let time = 0; time < 7; time += 1) await screen().settled;
  expect(failing.lookUp).toHaveBeenCalledTimes(5);
  expect(results().slice(-2)).toEqual(['circuit_open', 'circuit_open']);
  expect(await read()).toMatchObject({ notes: ['number_lookup_unavailable'] });
  const inTest = await screened('test', { lookups: { test: failing, live: null } });
  for (let time = 0; time < 7; time += 1) await inTest.screen().settled;
  expect(failing.lookUp).toHaveBeenCalledTimes(12);
});

test('uses the result for the current checkout without a database, and does not throw', async () => {
  const away = { query: () => Promise.reject(new Error('away')) };
  const ported = lookupThat(async () => ({ status: 'answered', facts: { ...CLEAR, portCheck: 'ported' } }));
  const { screen } = await screened('live', { sql: away, lookups: { test: null, live: ported } });
  const run = screen();
  await run.settled;
  expect(decideScreen(run.facts)).toMatchObject({ decision: 'step_up', reasons: ['ported_recently'] });
});

test('adds no note for a source that does not know the account', async () => {
  const ask = vi.fn<AttestationSource['ask']>(async () => null);
  const { screen, read, id } = await screened('live', { attestations: { test: [], live: [sourceThat(ask)] } });
  await screen().settled;
  const question = { sessionId: id, mode: 'live', number: '+15550101234', platformCallId: 'call-1' };
  expect(ask).toHaveBeenCalledExactlyOnceWith(expect.objectContaining(question), expect.any(AbortSignal));
  expect(await read()).toBeNull();
});

test('stores no attestation of a deleted session', async () => {
  const attesting = sourceThat(async () => ({ attestation: 'C' }));
  const { screen, read, id } = await screened('live', { attestations: { test: [], live: [attesting] } });
  await db.database.query('delete from checkout_sessions where id = $1', [id]);
  await screen().settled;
  const { rows } = await db.database.query('select from session_attestations where session_id = $1', [id]);
  expect(rows).toEqual([]);
  expect(await read()).toBeNull();
});

test.each([
  ['answered', { status: 'answered', facts: CLEAR }],
  ['failed', { status: 'failed', failure: 'number_lookup_unavailable' }],
] as const)('does not store a lookup that has %s after its caller was erased', async (_, answer) => {
  const held = deferred<LookupAnswer>();
  const { screen, read, id } = await screened('live', {
    lookups: { test: null, live: lookupThat(() => held.promise) },
  });
  const { settled } = screen();
  await db.database.query('update checkout_sessions set caller_phone = null where id = $1', [id]);
  held.resolve(answer);
  await settled;
  expect(await read()).toBeNull();
  const { rows } = await db.database.query(
    `select from number_lookups where account_id = (select account_id from checkout_sessions where id = $1)`,
    [id],
  );
  expect(rows).toEqual([]);
});

test("adds a note instead of a lookup beyond the account's budget", async () => {
  const live = lookupThat(async () => ({ status: 'answered', facts: CLEAR }));
  const { merchant, screening, sessionOf } = await budgeted(live, { hour: 10, day: 1_000 });
  const sessions = await Promise.all(Array.from({ length: 30 }, (_, place) => sessionOf(`+1555010${3_000 + place}`)));
  const runs = sessions.map((session) => screening.screenCaller(session, null, log));
  await Promise.all(runs.map(({ settled }) => settled));
  expect(live.lookUp).toHaveBeenCalledTimes(10);
  const over = runs.filter(({ facts }) => facts.lookup?.failure === 'number_lookup_over_budget');
  expect(over).toHaveLength(20);
  expect(decideScreen(over[0]?.facts ?? { lookup: null, attestations: [] })).toMatchObject({
    decision: 'allow',
    reasons: [],
    notes: ['number_lookup_over_budget'],
  });
  // An hour later the hourly budget is free again, within the daily budget.
  await db.database.query(`update number_lookup_turns set slot = slot - interval '70 minutes' where account_id = $1`, [
    merchant.accountId,
  ]);
  await screening.screenCaller(await sessionOf('+15550104000'), null, log).settled;
  expect(live.lookUp).toHaveBeenCalledTimes(11);
});

test('applies the daily budget over several hours, per account', async () => {
  const live = lookupThat(async () => ({ status: 'answered', facts: CLEAR }));
  const one = await budgeted(live, { hour: 2, day: 3 });
  const other = await budgeted(live, { hour: 2, day: 3 });
  for (let place = 0; place < 4; place += 1) {
    await one.screening.screenCaller(await one.sessionOf(`+1555010${5_000 + place}`), null, log).settled;
    await db.database.query(`update number_lookup_turns set slot = slot - interval '70 minutes'`);
  }
  expect(live.lookUp).toHaveBeenCalledTimes(3);
  await other.screening.screenCaller(await other.sessionOf('+15550105000'), null, log).settled;
  expect(live.lookUp).toHaveBeenCalledTimes(4);
});

/** Screening with this lookup budget, and sessions of one account. */
async function budgeted(live: NumberLookup, budget: LookupBudget) {
  const merchant = await createTestMerchant(db.database, { mode: 'live' });
  const screening = openScreening({
    sql: db.database,
    limitMs: 120_000,
    budget,
    lookups: { test: null, live },
    attestations: { test: [], live: [] },
  });
  const sessionOf = async (callerPhone: string) => ({
    ...merchant,
    id: await createTestSession(db.database, merchant, { callerPhone }),
    callerPhone: callerPhone as E164,
    platformCallId: null,
    attestationUrl: null,
  });
  return { merchant, screening, sessionOf };
}
