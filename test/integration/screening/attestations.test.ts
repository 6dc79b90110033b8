/** The sources of attestations: each by the contract suite, then an account's URL that fails, hangs or lies. */
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
    call: (said) => ({
      platformCallId: `${said.length > 6 || said === 'silent' ? 'test_attestation' : 'test_attested'}_${said.toLowerCase()}`,
    }),
    strange: () => ({ platformCallId: 'CA1' }),
  });

  test('every test call that is documented behaves so', async () => {
    for (const { platformCallId, behaves } of TEST_CALLS) {
      const asked = createSandboxAttestations().ask(questionOf({ platformCallId }), AbortSignal.abort());
      const silent = { attestation: null, note: 'attestation_timed_out' };
      expect(await asked).toEqual(behaves.kind === 'answer' ? behaves.answer : silent);
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
    call: (said) => {
      const platformCallId = `call-${said}`;
      const body = { attestation: said };
      if (said === 'unavailable') fake.calls.set(platformCallId, { status: 503, body });
      else if (said === 'silent') fake.calls.set(platformCallId, HANG);
      else if (said !== 'missing') fake.calls.set(platformCallId, { status: 200, body });
      return { platformCallId, url: fake.url };
    },
    strange: () => ({ url: null }),
  });

  test('is asked once, signed, with the call, the number and the mode', async () => {
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
  ])('an answer that is %s is a note', async (fault, note) => {
    fake.calls.set('CA6', { status: 200, body: { attestation: 'Failed' }, fault });
    expect(await ask({ platformCallId: 'CA6' })).toEqual(noted(note));
  });

  test.each([
    ['429', 429, {}, 'attestation_rate_limited'],
    ['403', 403, { attestation: 'Failed' }, 'attestation_refused'],
    ['a redirect', 302, {}, 'attestation_refused'],
    ['200 with an error', 200, { error: { code: 'not_found' } }, 'attestation_unreadable'],
    ['a word of its own', 200, { attestation: 'D' }, 'attestation_unreadable'],
    ['a list', 200, ['Failed'], 'attestation_unreadable'],
    ['of another call', 200, { attestation: 'Failed', platform_call_id: 'CA2' }, 'attestation_unreadable'],
    ['of another number', 200, { attestation: 'Failed', caller_phone: '+15550109999' }, 'attestation_unreadable'],
    ['far too much', 200, { attestation: 'Failed', x: 'x'.repeat(10_000_000) }, 'attestation_unreadable'],
    ['that there is none', 200, { attestation: null }, 'attestation_missing'],
  ])('an answer that is %s is a note, and no redirect is followed', async (_, status, body, note) => {
    const before = fake.requests.length;
    fake.answerNext({ status, body, headers: { location: `${fake.url}/elsewhere` } });
    expect(await ask()).toEqual(noted(note));
    expect(fake.requests.length).toBe(before + 1);
  });

  test('one that hangs is left when its own limit is over', async () => {
    fake.calls.set('CA9', HANG);
    expect(await ask({ platformCallId: 'CA9' }, sourceWith({ limitMs: 50 }))).toEqual(noted('attestation_timed_out'));
  });

  test('five failures in a row rest it, for that account and mode alone', async () => {
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

  test('a URL that is slow has twenty questions at most; other accounts are asked meanwhile', async () => {
    fake.calls.set('CA9', HANG);
    const source = sourceWith({ limitMs: 60_000 });
    const ends = new AbortController();
    const asked = Array.from({ length: 21 }, () => {
      return source.ask(questionOf({ url: fake.url, platformCallId: 'CA9' }), ends.signal);
    });
    expect(await asked.at(-1)).toEqual(noted('attestation_unavailable'));
    ends.abort();
    await Promise.all(asked);
  });

  test.each([
    ['live', true],
    ['test', false],
  ] as const)(
    'in %s mode, private targets %s, no address is asked that is not public',
    async (mode, privateTargets) => {
      const before = fake.requests.length;
      expect(await ask({ mode }, sourceWith({ privateTargets }))).toEqual(noted('attestation_unavailable'));
      expect(fake.requests.length).toBe(before);
    },
  );

  test('without its secret, or without a database, nobody is asked', async () => {
    expect(await ask({}, sourceWith({ secretOf: async () => null }))).toEqual(noted('attestation_unavailable'));
    const away = sourceWith({ secretOf: () => Promise.reject(new Error('away')) });
    expect(await ask({}, away)).toEqual(noted('attestation_unavailable'));
  });
});
