/** The number look-ups: each vendor by the contract suite, then what is its own; and the sandbox's test numbers. */
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
    // Seven days ago to the day: the vendor knows no time of day.
    ['seven days ago to the day', { ported_status: 'Y', ported_date: '2026-11-15' }, 'ported', []],
    ['a moment', { ported_status: 'Y', ported_date: '2026-11-20T08:00:00Z' }, 'ported', []],
    ['never ported, though there is a date', { ported_status: 'N', ported_date: '2026-11-20' }, 'clear', []],
    ['a date that is none', { ported_status: 'Y', ported_date: 'soon' }, 'unknown', ['port_date_missing']],
    ['nothing said', { ported_status: '', ported_date: '' }, 'unknown', ['number_not_covered']],
    ['a number from elsewhere', null, 'unknown', ['number_not_covered']],
  ])('portability: %s', async (_, ported, portCheck, notes) => {
    expect(await answerTo(ported)).toMatchObject({ status: 'answered', facts: { portCheck, notes } });
  });

  test.each([
    ['mobile', 'mobile'],
    ['fixed line', 'landline'],
    ['voip', 'voip'],
    ['toll free', 'toll_free'],
    ['fixed line or mobile', 'other'],
    ['premium rate', 'other'],
  ])('line type %s is %s', async (type, lineType) => {
    const answer = await answerTo({ ported_status: 'N', ported_date: '' }, { ...CARRIER, type });
    expect(answer).toMatchObject({ facts: { lineType, notes: [] } });
  });

  test('a carrier in many words is one line, and one without a name is none', async () => {
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
    ['not swapped in a day, which is not all', period('PT24H', false), 'unknown', DIFFERS],
    ['a period that is none', period('a week', true), 'unknown', UNAVAILABLE],
    ['no period', period(null, true), 'unknown', UNAVAILABLE],
    ['neither yes nor no', period('PT24H', null), 'unknown', UNAVAILABLE],
    ['60620: the carrier said too little', swap(null, 60620), 'unknown', UNAVAILABLE],
    ['no such country', swap(null), 'unknown', UNAVAILABLE],
    ['no pack at all', null, 'unknown', UNAVAILABLE],
    [
      'a yes beside an error',
      swap({ swapped_period: 'PT24H', swapped_in_period: true }, 60616),
      'unknown',
      UNAVAILABLE,
    ],
  ])('SIM swap: %s', async (_, sim, portCheck, notes) => {
    expect(await answerTo(sim)).toMatchObject({ status: 'answered', facts: { portCheck, notes, lineType: 'mobile' } });
  });

  test('the date goes before the period that it was derived from', async () => {
    const derived = { swapped_period: 'PT15282H33M44S', swapped_in_period: true };
    expect(await answerTo(swap({ last_sim_swap_date: '2025-02-24T20:56:16Z', ...derived }))).toMatchObject({
      facts: { portCheck: 'clear', notes: [] },
    });
    const moment = { last_sim_swap_date: '2026-11-15T15:30:00Z', swapped_period: 'PT168H', swapped_in_period: true };
    expect(await answerTo(swap(moment))).toMatchObject({ facts: { portCheck: 'swapped' } });
  });

  test('one package that failed leaves the other', async () => {
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

  test('a number that is not valid is not covered', async () => {
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
  ])('line type %s is %s', async (type, lineType) => {
    expect(await answerTo(period('P7D', false), { ...line, type })).toMatchObject({ facts: { lineType, notes: [] } });
  });
});

describe('sandbox', () => {
  const lookup = createSandboxLookup();

  test('a number that is none of the test numbers is clear', async () => {
    expect(await lookup.lookUp(NUMBER, NEVER)).toMatchObject({ facts: { portCheck: 'clear', notes: [] } });
  });

  test.each(TEST_NUMBERS.map(({ number, behaves }) => [number, behaves] as const))(
    'test number %s behaves as it is documented',
    async (number, behaves) => {
      const limit = new AbortController();
      const asked = lookup.lookUp(number as E164, limit.signal);
      if (behaves.kind === 'silent') limit.abort();
      const expected =
        'facts' in behaves
          ? { status: 'answered', facts: behaves.facts }
          : {
              status: 'failed',
              failure: behaves.kind === 'failure' ? behaves.failure : 'number_lookup_timed_out',
            };
      expect(await asked).toEqual(expected);
    },
  );
});
