/** The number lookups: each vendor in the contract suite, then its specifics, and the sandbox's test numbers. */
import { describe, expect, test } from 'vitest';
import type { E164 } from '../../../src/domain/phone-number.ts';
import { createSandboxLookup } from '../../../src/screening/sandbox/lookup.ts';
import { TEST_NUMBERS } from '../../../src/screening/sandbox/numbers.ts';
import { createTelnyxLookup } from '../../../src/screening/telnyx/lookup.ts';
import { createTwilioLookup } from '../../../src/screening/twilio/lookup.ts';
import {
  startFakeTelnyxLookup,
  startFakeTwilioLookup,
  TELNYX_KEY,
  TWILIO_LOGIN,
  telnyxNumber,
  twilioNumber,
} from '../../support/fake-lookups.ts';
import { useFixture } from '../../support/fixtures.ts';
import { lookupContract, NOW, NUMBER } from './lookup-contract.ts';

const now = () => NOW;
const NEVER = new AbortController().signal;
const CARRIER = { name: 'Example Wireless', type: 'mobile' };

describe('telnyx', () => {
  const lookupAt = (baseUrl: string, apiKey = TELNYX_KEY) => createTelnyxLookup({ apiKey, baseUrl, now });
  lookupContract({
    start: startFakeTelnyxLookup,
    lookupAt,
    strangerAt: (baseUrl) => lookupAt(baseUrl, 'KEY_of_nobody'),
    day: (day) => day,
    changed: 'ported',
    undated: 'port_date_missing',
    otherNumber: (number) => ({ data: telnyxNumber(number, CARRIER, { ported_status: 'N', ported_date: '' }) }),
  });

  const fake = useFixture(startFakeTelnyxLookup);
  const answerTo = async (ported: object | null, carrier = CARRIER) => {
    fake.answerNext({ status: 200, body: { data: telnyxNumber(NUMBER, carrier, ported) } });
    return lookupAt(fake.url).lookUp(NUMBER, NEVER);
  };

  test.each([
    // The vendor returns dates without a time of day.
    ['ported exactly seven days ago', { ported_status: 'Y', ported_date: '2026-11-15' }, 'ported', []],
    ['ported at a time of day', { ported_status: 'Y', ported_date: '2026-11-20T08:00:00Z' }, 'ported', []],
    ['not ported, despite a date', { ported_status: 'N', ported_date: '2026-11-20' }, 'clear', []],
    ['an invalid date', { ported_status: 'Y', ported_date: 'soon' }, 'unknown', ['port_date_missing']],
    ['no values', { ported_status: '', ported_date: '' }, 'unknown', ['number_not_covered']],
    ['no portability', null, 'unknown', ['number_not_covered']],
  ])('reads the portability: %s', async (_, ported, portCheck, notes) => {
    expect(await answerTo(ported)).toMatchObject({ status: 'answered', facts: { portCheck, notes } });
  });

  test.each([
    ['mobile', 'mobile'],
    ['fixed line', 'landline'],
    ['voip', 'voip'],
    ['toll free', 'toll_free'],
    ['fixed line or mobile', 'other'],
    ['premium rate', 'other'],
  ])('reads the line type %s as %s', async (type, lineType) => {
    const answer = await answerTo({ ported_status: 'N', ported_date: '' }, { ...CARRIER, type });
    expect(answer).toMatchObject({ facts: { lineType, notes: [] } });
  });

  test('shortens a long carrier name to one line, and reads an empty one as null', async () => {
    const none = { ported_status: 'N', ported_date: '' };
    const long = await answerTo(none, { name: `A\r\nB ${'x'.repeat(200)}`, type: 'unknown' });
    expect(long).toMatchObject({ facts: { carrier: `A B ${'x'.repeat(96)}`, notes: ['line_type_unavailable'] } });
    expect(await answerTo(none, { name: ' ', type: 'mobile' })).toMatchObject({ facts: { carrier: null } });
  });
});

describe('twilio', () => {
  const lookupAt = (baseUrl: string, login = TWILIO_LOGIN) => createTwilioLookup({ ...login, baseUrl, now });
  const line = { type: 'mobile', carrier_name: 'Example Wireless', error_code: null };
  lookupContract({
    start: startFakeTwilioLookup,
    lookupAt,
    strangerAt: (baseUrl) => lookupAt(baseUrl, { ...TWILIO_LOGIN, authToken: 'e'.repeat(32) }),
    day: (day) => `${day}T15:29:00Z`,
    changed: 'swapped',
    undated: 'sim_swap_unavailable',
    otherNumber: (number) => twilioNumber(number, { sim_swap: null, line_type_intelligence: line }),
  });

  const fake = useFixture(startFakeTwilioLookup);
  const answerTo = async (sim_swap: object | null, line_type_intelligence: object | null = line, more: object = {}) => {
    const body = { ...twilioNumber(NUMBER, { sim_swap, line_type_intelligence }), ...more };
    fake.answerNext({ status: 200, body });
    return lookupAt(fake.url).lookUp(NUMBER, NEVER);
  };
  const swap = (last_sim_swap: object | null, error_code: number | null = null) => ({
    last_sim_swap,
    carrier_name: 'Example Wireless',
    error_code,
  });
  const period = (swapped_period: string | null, swapped_in_period: boolean | null) =>
    swap({ last_sim_swap_date: null, swapped_period, swapped_in_period });
  const DIFFERS = ['sim_swap_period_differs'];
  const UNAVAILABLE = ['sim_swap_unavailable'];

  test.each([
    ['swapped in a day', period('PT24H', true), 'swapped', []],
    ['swapped in seven days', period('P7D', true), 'swapped', []],
    ['swapped in 168 hours', period('PT168H', true), 'swapped', []],
    ['swapped in a week and a second', period('P1WT1S', true), 'unknown', DIFFERS],
    ['swapped in thirty days', period('P30D', true), 'unknown', DIFFERS],
    ['not swapped in thirty days', period('P30D', false), 'clear', []],
    ['not swapped in seven days', period('P7D', false), 'clear', []],
    ['not swapped in a day, which is too short', period('PT24H', false), 'unknown', DIFFERS],
    ['an invalid period', period('a week', true), 'unknown', UNAVAILABLE],
    ['no period', period(null, true), 'unknown', UNAVAILABLE],
    ['neither yes nor no', period('PT24H', null), 'unknown', UNAVAILABLE],
    ['error 60620: not enough data from the carrier', swap(null, 60620), 'unknown', UNAVAILABLE],
    ['an unsupported country', swap(null), 'unknown', UNAVAILABLE],
    ['no SIM swap package', null, 'unknown', UNAVAILABLE],
    [
      'swapped, together with an error',
      swap({ swapped_period: 'PT24H', swapped_in_period: true }, 60616),
      'unknown',
      UNAVAILABLE,
    ],
  ])('reads the SIM swap: %s', async (_, sim, portCheck, notes) => {
    expect(await answerTo(sim)).toMatchObject({ status: 'answered', facts: { portCheck, notes, lineType: 'mobile' } });
  });

  test('prefers the date of a SIM swap over the period derived from it', async () => {
    const derived = { swapped_period: 'PT15282H33M44S', swapped_in_period: true };
    expect(await answerTo(swap({ last_sim_swap_date: '2025-02-24T20:56:16Z', ...derived }))).toMatchObject({
      facts: { portCheck: 'clear', notes: [] },
    });
    const moment = { last_sim_swap_date: '2026-11-15T15:30:00Z', swapped_period: 'PT168H', swapped_in_period: true };
    expect(await answerTo(swap(moment))).toMatchObject({ facts: { portCheck: 'swapped' } });
  });

  test('uses one package if the other failed', async () => {
    const canadian = { type: null, carrier_name: null, error_code: 60601 };
    expect(await answerTo(period('P7D', true), canadian)).toMatchObject({
      facts: {
        portCheck: 'swapped',
        lineType: 'unknown',
        notes: ['line_type_unavailable'],
        carrier: 'Example Wireless',
      },
    });
  });

  test('reads an invalid number as not covered', async () => {
    expect(await answerTo(null, null, { valid: false, validation_errors: ['TOO_SHORT'] })).toMatchObject({
      status: 'answered',
      facts: { notes: ['number_not_covered'] },
    });
  });

  test.each([
    ['landline', 'landline'],
    ['fixedVoip', 'voip'],
    ['nonFixedVoip', 'voip'],
    ['tollFree', 'toll_free'],
    ['sharedCost', 'other'],
  ])('reads the line type %s as %s', async (type, lineType) => {
    expect(await answerTo(period('P7D', false), { ...line, type })).toMatchObject({ facts: { lineType, notes: [] } });
  });
});

describe('sandbox', () => {
  const lookup = createSandboxLookup();

  test('returns clear for numbers that are not test numbers', async () => {
    expect(await lookup.lookUp(NUMBER, NEVER)).toMatchObject({ facts: { portCheck: 'clear', notes: [] } });
  });

  test.each(TEST_NUMBERS.map(({ number, behaves }) => [number, behaves] as const))(
    'answers the test number %s as documented',
    async (number, behaves) => {
      const limit = new AbortController();
      const answer = lookup.lookUp(number as E164, limit.signal);
      if (behaves.kind === 'silent') limit.abort();
      const expected =
        'facts' in behaves
          ? { status: 'answered', facts: behaves.facts }
          : {
              status: 'failed',
              failure: behaves.kind === 'failure' ? behaves.failure : 'number_lookup_timed_out',
            };
      expect(await answer).toEqual(expected);
    },
  );
});
