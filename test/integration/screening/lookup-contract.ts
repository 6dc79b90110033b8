/** The contract suite of all number lookups, run against a fake of the vendor. */
import { describe, expect, test } from 'vitest';
import type { E164 } from '../../../src/domain/phone-number.ts';
import type { LookupNote, NumberFacts, PortCheck } from '../../../src/domain/screening.ts';
import type { NumberLookup } from '../../../src/screening/ports.ts';
import type { FakeLookups } from '../../support/fake-lookups.ts';
import type { Fault } from '../../support/fake-vendor-server.ts';
import { useFixture } from '../../support/fixtures.ts';

/** The current time for all adapters. */
export const NOW = new Date('2026-11-22T15:30:00Z');
export const NUMBER = '+15550101234' as E164;
const NEVER = new AbortController().signal;

interface LookupSubject {
  start: () => Promise<FakeLookups>;
  lookupAt: (baseUrl: string) => NumberLookup;
  /** A lookup with wrong credentials. */
  strangerAt: (baseUrl: string) => NumberLookup;
  /** A day in the vendor's format. */
  day: (isoDay: string) => string;
  /** The result of a recent change. */
  changed: PortCheck;
  /** The note for a change without a date. */
  undated: LookupNote;
  /** A valid response body for another number. */
  otherNumber: (number: string) => unknown;
}

export function lookupContract(subject: LookupSubject): void {
  const fake = useFixture(subject.start);
  const ask = (signal = NEVER) => subject.lookupAt(fake.url).lookUp(NUMBER, signal);
  const factsOf = async (changed: string | null): Promise<NumberFacts> => {
    fake.numbers.set(NUMBER, { changed, lineType: 'mobile', carrier: 'Example Wireless' });
    const answer = await ask();
    if (answer.status !== 'answered') throw new Error(`failed: ${answer.failure}`);
    return answer.facts;
  };

  test('returns clear for a number without a recent change, with one documented request', async () => {
    const before = fake.requests.length;
    expect(await factsOf(null)).toEqual({
      portCheck: 'clear',
      lineType: 'mobile',
      carrier: 'Example Wireless',
      notes: [],
    });
    expect(fake.requests.length).toBe(before + 1);
    expect(fake.violations).toEqual([]);
  });

  test.each([
    ['2026-11-22', 'recent'],
    ['2026-11-16', 'recent'],
    ['2026-11-14', 'clear'],
    ['2018-02-28', 'clear'],
  ])('compares a change on %s with now: %s', async (day, expected) => {
    const portCheck = expected === 'recent' ? subject.changed : 'clear';
    expect(await factsOf(subject.day(day))).toMatchObject({ portCheck, notes: [], carrier: 'Example Wireless' });
  });

  test('adds a note for a change in the future, and for one without a date', async () => {
    const future = { portCheck: 'unknown', notes: ['port_date_in_future'] };
    expect(await factsOf(subject.day('2026-11-24'))).toMatchObject(future);
    expect(await factsOf('')).toMatchObject({ portCheck: 'unknown', notes: [subject.undated] });
  });

  test('answers with a note for a number that the vendor does not cover', async () => {
    fake.numbers.delete(NUMBER);
    expect(await ask()).toEqual({
      status: 'answered',
      facts: { portCheck: 'unknown', lineType: 'unknown', carrier: null, notes: ['number_not_covered'] },
    });
  });

  test('rejects a response about another number', async () => {
    fake.answerNext({ status: 200, body: subject.otherNumber('+15550109876') });
    expect(await ask()).toEqual({ status: 'failed', failure: 'number_lookup_unreadable' });
    fake.answerNext({ status: 200, body: subject.otherNumber(NUMBER) });
    expect(await ask()).toMatchObject({ status: 'answered' });
  });

  test('fails if the vendor refuses the credentials', async () => {
    expect(await subject.strangerAt(fake.url).lookUp(NUMBER, NEVER)).toEqual({
      status: 'failed',
      failure: 'number_lookup_refused',
    });
    expect(fake.violations.splice(0)).toEqual(['authorization']);
  });

  describe('a failure', () => {
    test.each<[Fault, string]>([
      ['reset', 'number_lookup_unavailable'],
      ['half_sent', 'number_lookup_unavailable'],
      ['html_500', 'number_lookup_unavailable'],
      ['garbage', 'number_lookup_unreadable'],
      ['empty', 'number_lookup_unreadable'],
      ['not_ours', 'number_lookup_unreadable'],
    ])('has a code for a response with the fault %s', async (fault, failure) => {
      fake.failNext(fault);
      expect(await ask()).toEqual({ status: 'failed', failure });
    });

    test.each([
      ['429', 429, { errors: [{ code: '10011', title: 'Too many requests' }] }, 'number_lookup_rate_limited'],
      ['403', 403, {}, 'number_lookup_refused'],
      ['503', 503, {}, 'number_lookup_unavailable'],
      ['a redirect', 302, {}, 'number_lookup_unavailable'],
      ['200 with an error', 200, { errors: [{ code: '10015' }] }, 'number_lookup_unreadable'],
      ["200 with the other vendor's error", 200, { code: 20404, status: 404 }, 'number_lookup_unreadable'],
      ['a 404 of another server', 404, { message: 'no route' }, 'number_lookup_unreadable'],
      ['null', 200, null, 'number_lookup_unreadable'],
      ['a text', 200, 'fine', 'number_lookup_unreadable'],
      ['a body that is too long', 200, { data: 'x'.repeat(10_000_000) }, 'number_lookup_unreadable'],
    ] as const)('has a code for the response: %s', async (_, status, body, failure) => {
      const headers = { location: `${fake.url}/elsewhere` };
      const before = fake.requests.length;
      fake.answerNext({ status, body, headers });
      expect(await ask()).toEqual({ status: 'failed', failure });
      expect(fake.requests.length).toBe(before + 1);
    });

    test('has a code if the signal ends the request', async () => {
      const { arrived } = fake.holdNext();
      const limit = new AbortController();
      const answer = ask(limit.signal);
      await arrived;
      limit.abort();
      expect(await answer).toEqual({ status: 'failed', failure: 'number_lookup_timed_out' });
    });

    test('has a code if the vendor cannot be reached', async () => {
      const gone = subject.lookupAt('http://127.0.0.1:9');
      expect(await gone.lookUp(NUMBER, NEVER)).toEqual({ status: 'failed', failure: 'number_lookup_unavailable' });
    });
  });
}
