/** Checking Identity headers: valid and invalid PASSporTs, their certificates, and how those are fetched. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { E164 } from '../../../src/domain/phone-number.ts';
import { createCertificateCache } from '../../../src/screening/stir/certificate-cache.ts';
import { certificatesIn } from '../../../src/screening/stir/certificates.ts';
import { checkIdentities } from '../../../src/screening/stir/identity.ts';
import { useFixture } from '../../support/fixtures.ts';
import { type CertificateSettings, identityHeader, makeCertificate } from '../../support/test-certificates.ts';

const X5U = 'https://certs.example.com/leaf.pem';
/** Of every call here: the time that passes in a test must not make a claim valid. */
const receivedAt = new Date();
const call = () => ({
  callingNumber: '+15550101234' as E164,
  dialed: ['+15550109999' as E164],
  receivedAt,
});
const root = makeCertificate({ name: 'Root', isAuthority: true });
const intermediate = makeCertificate({ name: 'Intermediate', isAuthority: true, issuer: root });
const leaf = makeCertificate({ name: 'Carrier', issuer: intermediate });
const now = () => Math.floor(receivedAt.getTime() / 1_000);
const claims = (change: object = {}) => ({
  attest: 'A',
  dest: { tn: ['15550109999'] },
  iat: now(),
  orig: { tn: '15550101234' },
  origid: '123e4567-e89b-12d3-a456-426655440000',
  ...change,
});
const noted = (note: string) => ({ attestation: null, note });

/** Checks headers against the root, with this chain at every URL. */
const check = (identities: string[], chain: string | null = leaf.pem + intermediate.pem) =>
  checkIdentities(
    { roots: [root.certificate], certificates: async () => (chain === null ? null : certificatesIn(chain)) },
    identities,
    call(),
  );
const signed = (change: object = {}, header: object = {}) =>
  identityHeader(leaf.privateKey, { x5u: X5U, ...header }, claims(change));

describe('a PASSporT', () => {
  test.each(['A', 'B', 'C'] as const)('that is valid has the attestation %s', async (attest) => {
    expect(await check([await signed({ attest })])).toEqual({ attestation: attest });
  });

  test('can be for several numbers, with a certificate that the root signed directly', async () => {
    const direct = makeCertificate({ name: 'Direct', issuer: root });
    const header = await identityHeader(
      direct.privateKey,
      { x5u: X5U },
      claims({ dest: { tn: ['15550100000', '15550109999'] } }),
    );
    expect(await check([header], direct.pem)).toEqual({ attestation: 'A' });
  });

  test.each([-61, 61])('issued at %d s from now is a note, and its certificate is not fetched', async (seconds) => {
    const requested: string[] = [];
    const certificates = async (url: string) => {
      requested.push(url);
      return null;
    };
    const header = await signed({ iat: now() + seconds });
    expect(await checkIdentities({ roots: [], certificates }, [header], call())).toEqual(noted('identity_expired'));
    expect(requested).toEqual([]);
  });

  test('that was signed with another key has failed', async () => {
    const stranger = makeCertificate({ name: 'Carrier', issuer: intermediate });
    expect(await check([await signed()], stranger.pem + intermediate.pem)).toEqual({ attestation: 'Failed' });
  });

  test('whose claims were changed has failed', async () => {
    const [token = '', ...parameters] = (await signed({ attest: 'C' })).split(';');
    const [head, , signature] = token.split('.');
    const better = Buffer.from(JSON.stringify(claims({ attest: 'A' }))).toString('base64url');
    expect(await check([[`${head}.${better}.${signature}`, ...parameters].join(';')])).toEqual({
      attestation: 'Failed',
    });
  });

  test('for another caller has failed', async () => {
    expect(await check([await signed({ orig: { tn: '15550107777' } })])).toEqual({ attestation: 'Failed' });
  });

  test('for another number is a note, with a different note if the call was forwarded', async () => {
    const other = await signed({ attest: 'C', dest: { tn: ['15550100000'] } });
    expect(await check([other])).toEqual(noted('identity_other_destination'));
    expect(await check([await signed({ dest: { uri: ['sip:pay@example.com'] } })])).toEqual(
      noted('identity_other_destination'),
    );
    const div = await signed({ div: { tn: '15550100000' } }, { ppt: 'div' });
    expect(await check([other, div])).toEqual(noted('identity_forwarded'));
    expect(await check([div, other])).toEqual(noted('identity_forwarded'));
    // A div PASSporT does not change the result of the original one.
    expect(await check([await signed({ attest: 'C' }), div])).toEqual({ attestation: 'C' });
    expect(await check([div])).toEqual(noted('identity_unreadable'));
  });

  test('counts least if others are worse', async () => {
    const headers = [await signed(), await signed({ attest: 'C' }), 'nonsense', await signed({ attest: 'B' })];
    expect(await check(headers)).toEqual({ attestation: 'C' });
  });

  test.each([
    ['alg none', { alg: 'none' }],
    ['alg HS256', { alg: 'HS256' }],
    ['another extension', { ppt: 'rph' }],
    ['another type', { typ: 'JWT' }],
    ['no certificate', { x5u: undefined }],
    ['an unknown critical header', { crit: ['b64'], b64: false }],
  ])('with %s is a note', async (_, change) => {
    const header = { alg: 'ES256', ppt: 'shaken', typ: 'passport', x5u: X5U, ...change };
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    for (const signature of ['', 'c2ln']) {
      const token = `${part(header)}.${part(claims())}.${signature}`;
      expect(await check([`${token};info=<${X5U}>`])).toEqual(noted('identity_unreadable'));
    }
  });

  test.each([
    '',
    '..c2ln;info=<https://certs.example.com/leaf.pem>;alg=ES256;ppt="shaken"',
    'a.b.c',
    'x'.repeat(8_000),
    `${'.'.repeat(3)};info=<x>`,
  ])('that is malformed is a note (case %#)', async (text) => {
    expect(await check([text])).toEqual(noted('identity_unreadable'));
  });

  test.each([{ attest: 'D' }, { attest: undefined }, { iat: 'now' }, { orig: {} }, { orig: { tn: 1 } }, { dest: [] }])(
    'with claims of %j is a note',
    async (change) => {
      expect(await check([await signed(change)])).toEqual(noted('identity_unreadable'));
    },
  );
});

describe('a certificate', () => {
  const day = 86_400_000;
  const [past, future] = [new Date(Date.now() - day), new Date(Date.now() + day)];
  const rogue = makeCertificate({ name: 'Root', isAuthority: true });

  test.each<[string, Partial<CertificateSettings>]>([
    ['has expired', { notBefore: new Date(Date.now() - 2 * day), notAfter: past }],
    ['is not valid yet', { notBefore: future, notAfter: new Date(Date.now() + 2 * day) }],
    ['is from an unknown root with the same name', { issuer: rogue }],
    ['is self-signed', {}],
    ['has no TNAuthList', { issuer: root, hasTnAuthList: false }],
    ['belongs to a CA', { issuer: root, isAuthority: true, hasTnAuthList: true }],
    ['has a key of another curve', { issuer: root, curve: 'P-384' }],
    ['was signed by another carrier', { issuer: leaf }],
  ])('is not trusted if it %s', async (_, settings) => {
    const issuer = settings.issuer ?? (settings.notAfter === undefined ? undefined : root);
    const bad = makeCertificate({ name: 'Bad', ...settings, ...(issuer && { issuer }) });
    // Its key cannot sign ES256. The chain is checked before the signature.
    const key = settings.curve === undefined ? bad.privateKey : leaf.privateKey;
    const header = await identityHeader(key, { x5u: X5U }, claims());
    const chain = [bad, leaf, intermediate, rogue].map(({ pem }) => pem).join('');
    expect(await check([header], chain)).toEqual(noted('identity_certificate_untrusted'));
  });

  test('is not trusted if its intermediate has expired', async () => {
    const ended = makeCertificate({ name: 'Ended', isAuthority: true, issuer: root, notBefore: past, notAfter: past });
    const below = makeCertificate({ name: 'Below', issuer: ended });
    const header = await identityHeader(below.privateKey, { x5u: X5U }, claims());
    expect(await check([header], below.pem + ended.pem)).toEqual(noted('identity_certificate_untrusted'));
  });

  test('has its own note if it cannot be fetched', async () => {
    expect(await check([await signed()], null)).toEqual(noted('identity_certificate_unavailable'));
  });
});

/** A certificate repository on loopback. */
async function startRepository() {
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(request.url ?? '');
    if (request.url === '/hangs' || request.url?.startsWith('/hangs?')) return;
    if (request.url === '/big') return void response.end('x'.repeat(10_000_000));
    if (request.url === '/html') return void response.end('<html></html>');
    if (request.url === '/broken') return void response.end(leaf.pem.replace('\nM', '\nA'));
    if (request.url === '/moved') return void response.writeHead(302, { location: '/leaf' }).end();
    if (request.url === '/gone') return void response.writeHead(404).end(leaf.pem);
    response.end(leaf.pem + intermediate.pem);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths, close };
}

describe('a chain of certificates', () => {
  const repository = useFixture(startRepository);
  const timesOf = (path: string) => repository.paths.filter((requested) => requested === path).length;

  test('is fetched once an hour for all calls', async () => {
    let nowMs = 0;
    const source = createCertificateCache({ privateTargets: true, nowMs: () => nowMs });
    const url = `${repository.url}/leaf`;
    const chains = await Promise.all([source(url), source(url), source(url)]);
    expect(chains.map((chain) => chain?.length)).toEqual([2, 2, 2]);
    expect(timesOf('/leaf')).toBe(1);
    nowMs = 3_600_001;
    await source(url);
    expect(timesOf('/leaf')).toBe(2);
  });

  test.each(['/big', '/html', '/broken', '/moved', '/gone'])(
    'is null at %s, which is requested once a minute',
    async (path) => {
      let nowMs = 0;
      const source = createCertificateCache({ privateTargets: true, nowMs: () => nowMs });
      expect([await source(repository.url + path), await source(repository.url + path)]).toEqual([null, null]);
      expect(timesOf(path)).toBe(1);
      nowMs = 60_001;
      await source(repository.url + path);
      expect(timesOf(path)).toBe(2);
    },
  );

  test('is given up after its time limit, and at most ten are fetched at once', async () => {
    const source = createCertificateCache({ privateTargets: true, limitMs: 300 });
    const chains = Array.from({ length: 10 }, (_, place) => source(`${repository.url}/hangs?${place}`));
    expect(await source(`${repository.url}/leaf?11`)).toBeNull();
    expect(timesOf('/leaf?11')).toBe(0);
    await Promise.all(chains);
    expect(await source(`${repository.url}/leaf?11`)).toHaveLength(2);
  });

  test('is fetched only by https from public addresses', async () => {
    const source = createCertificateCache();
    const port = new URL(repository.url).port;
    const before = repository.paths.length;
    for (const url of [
      repository.url,
      `https://127.0.0.1:${port}/leaf`,
      `https://localhost:${port}/leaf`,
      'https://[::1]/leaf',
      'https://169.254.169.254/latest',
      'https://10.0.0.1/',
      'http://certs.example.com/',
      'file:///etc/passwd',

      'https://user:word@certs.example.com/',
      'certs.example.com',
      `https://certs.example.com/${'x'.repeat(3_000)}`,
    ]) {
      expect(await source(url)).toBeNull();
    }
    expect(repository.paths.length).toBe(before);
  });
});
