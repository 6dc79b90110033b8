/** The attestation sources: each in the contract suite, and an account's URL that fails, hangs or lies. */
import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createHttpAttestations, type HttpAttestationsDeps } from '../../../src/screening/http/attestations.ts';
import { createSandboxAttestations } from '../../../src/screening/sandbox/attestations.ts';
import { TEST_CALLS } from '../../../src/screening/sandbox/calls.ts';
import { startFakeAttestationUrl } from '../../support/fake-attestation-url.ts';
import type { Fault, VendorReply } from '../../support/fake-vendor-server.ts';
import { useFixture } from '../../support/fixtures.ts';
import { attestationContract, questionOf } from './attestation-contract.ts';

const SECRET = randomBytes(32).toString('base64');
const HANG: VendorReply = { status: 200, body: {}, fault: 'hang' };
const NEVER = new AbortController().signal;

describe('sandbox', () => {
  attestationContract({
    source: createSandboxAttestations,
    call: (behavior) => ({
      platformCallId: `${behavior.length > 6 || behavior === 'silent' ? 'test_attestation' : 'test_attested'}_${behavior.toLowerCase()}`,
    }),
    unknown: () => ({ platformCallId: 'CA1' }),
  });

  test('answers every documented test call as documented', async () => {
    for (const { platformCallId, behaves } of TEST_CALLS) {
      const answer = createSandboxAttestations().ask(questionOf({ platformCallId }), AbortSignal.abort());
      const silent = { attestation: null, note: 'attestation_timed_out' };
      expect(await answer).toEqual(behaves.kind === 'answer' ? behaves.answer : silent);
    }
  });
});

describe('http', () => {
  const fake = useFixture(() => startFakeAttestationUrl(SECRET));
  const sourceWith = (change: Partial<HttpAttestationsDeps> = {}) =>
    createHttpAttestations({ secretOf: async () => SECRET, privateTargets: true, ...change });
  const ask = (change: Parameters<typeof questionOf>[0] = {}, source = sourceWith()) =>
    source.ask(questionOf({ url: fake.url, ...change }), NEVER);
  const noted = (note: string) => ({ attestation: null, note });

  attestationContract({
    source: sourceWith,
    call: (behavior) => {
      const platformCallId = `call-${behavior}`;
      const body = { attestation: behavior };
      if (behavior === 'unavailable') fake.calls.set(platformCallId, { status: 503, body });
      else if (behavior === 'silent') fake.calls.set(platformCallId, HANG);
      else if (behavior !== 'missing') fake.calls.set(platformCallId, { status: 200, body });
      return { platformCallId, url: fake.url };
    },
    unknown: () => ({ url: null }),
  });

  test('sends one signed request with the call, the number and the mode', async () => {
    const body = { attestation: 'B', platform_call_id: 'CA7', caller_phone: '+15550101234', more: true };
    fake.calls.set('CA7', { status: 200, body });
    const before = fake.requests.length;
    expect(await ask({ platformCallId: 'CA7' })).toEqual({ attestation: 'B' });
    expect(fake.requests.slice(before).map(({ body }) => JSON.parse(body))).toEqual([
      { platform_call_id: 'CA7', caller_phone: '+15550101234', mode: 'test' },
    ]);
    expect(fake.violations).toEqual([]);
  });

  test.each<[Fault, string]>([
    ['reset', 'attestation_unavailable'],
    ['half_sent', 'attestation_unavailable'],
    ['html_500', 'attestation_unavailable'],
    ['garbage', 'attestation_unreadable'],
    ['empty', 'attestation_unreadable'],
    ['not_ours', 'attestation_unreadable'],
  ])('turns a response with the fault %s into a note', async (fault, note) => {
    fake.calls.set('CA6', { status: 200, body: { attestation: 'Failed' }, fault });
    expect(await ask({ platformCallId: 'CA6' })).toEqual(noted(note));
  });

  test.each([
    ['429', 429, {}, 'attestation_rate_limited'],
    ['403', 403, { attestation: 'Failed' }, 'attestation_refused'],
    ['a redirect', 302, {}, 'attestation_refused'],
    ['200 with an error', 200, { error: { code: 'not_found' } }, 'attestation_unreadable'],
    ['an unknown value', 200, { attestation: 'D' }, 'attestation_unreadable'],
    ['a list', 200, ['Failed'], 'attestation_unreadable'],
    ['one for another call', 200, { attestation: 'Failed', platform_call_id: 'CA2' }, 'attestation_unreadable'],
    ['one for another number', 200, { attestation: 'Failed', caller_phone: '+15550109999' }, 'attestation_unreadable'],
    ['one that is too long', 200, { attestation: 'Failed', x: 'x'.repeat(10_000_000) }, 'attestation_unreadable'],
    ['no attestation', 200, { attestation: null }, 'attestation_missing'],
  ])('turns a response into a note, without following redirects: %s', async (_, status, body, note) => {
    const before = fake.requests.length;
    fake.answerNext({ status, body, headers: { location: `${fake.url}/elsewhere` } });
    expect(await ask()).toEqual(noted(note));
    expect(fake.requests.length).toBe(before + 1);
  });

  test('gives up a request that hangs after its own limit', async () => {
    fake.calls.set('CA9', HANG);
    expect(await ask({ platformCallId: 'CA9' }, sourceWith({ limitMs: 50 }))).toEqual(noted('attestation_timed_out'));
  });

  test('pauses after five failures in a row, for that account and mode only', async () => {
    const source = sourceWith();
    fake.calls.set('CA8', { status: 200, body: { attestation: 'A' } });
    for (let time = 0; time < 5; time += 1) {
      fake.answerNext({ status: 500, body: {} });
      await ask({}, source);
    }
    const before = fake.requests.length;
    expect(await ask({ platformCallId: 'CA8' }, source)).toEqual(noted('attestation_unavailable'));
    expect(fake.requests.length).toBe(before);
    const other = { accountId: 'acct_other' as never, platformCallId: 'CA8' };
    expect(await ask(other, source)).toEqual({ attestation: 'A' });
  });

  test('sends at most twenty requests at a time to a slow URL', async () => {
    fake.calls.set('CA9', HANG);
    const source = sourceWith({ limitMs: 60_000 });
    const ends = new AbortController();
    const answers = Array.from({ length: 21 }, () => {
      return source.ask(questionOf({ url: fake.url, platformCallId: 'CA9' }), ends.signal);
    });
    expect(await answers.at(-1)).toEqual(noted('attestation_unavailable'));
    ends.abort();
    await Promise.all(answers);
  });

  test.each([
    ['live', true],
    ['test', false],
  ] as const)(
    'sends no request to a private address in %s mode with private targets %s',
    async (mode, privateTargets) => {
      const before = fake.requests.length;
      expect(await ask({ mode }, sourceWith({ privateTargets }))).toEqual(noted('attestation_unavailable'));
      expect(fake.requests.length).toBe(before);
    },
  );

  test('sends no request without its secret or without a database', async () => {
    expect(await ask({}, sourceWith({ secretOf: async () => null }))).toEqual(noted('attestation_unavailable'));
    const away = sourceWith({ secretOf: () => Promise.reject(new Error('away')) });
    expect(await ask({}, away)).toEqual(noted('attestation_unavailable'));
  });
});
