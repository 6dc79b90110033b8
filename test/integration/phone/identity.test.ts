/**
 * The Identity header of a call, checked in the background: the call does not wait, and the result counts from its
 * arrival on.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readCheckouts } from '../../../src/db/sessions/checkouts.ts';
import { parseE164 } from '../../../src/domain/phone-number.ts';
import { deferred } from '../../../src/lib/concurrency/deferred.ts';
import { certificatesIn } from '../../../src/screening/stir/certificates.ts';
import { checkIdentities } from '../../../src/screening/stir/identity.ts';
import { identityHeader, makeCertificate } from '../../support/test-certificates.ts';
import { PhoneHarness } from './phone-harness.ts';

const X5U = 'https://certs.example.com/leaf.pem';
const NUMBER = '+15550109999';
const root = makeCertificate({ name: 'Root', isAuthority: true });
const leaf = makeCertificate({ name: 'Carrier', issuer: root });

/** The certificate arrives when the test says so. */
let repository = deferred<void>();
const fetched: string[] = [];
let harness: PhoneHarness;

beforeAll(async () => {
  const certificates = async (url: string) => {
    fetched.push(url);
    await repository.promise;
    return certificatesIn(leaf.pem);
  };
  harness = await PhoneHarness.start({
    settings: {
      trunks: ['127.0.0.0/8'],
      directTrunks: ['127.0.0.0/8'],
      transferNumbers: { owned: [], unassigned: parseE164(NUMBER) },
    },
    checkIdentities: (identities, call) =>
      checkIdentities({ roots: [root.certificate], certificates }, identities, call),
  });
});
afterAll(() => harness.close());

/** A call by the demo's caller, who has a saved card, signed with this attestation. Its greeting has started. */
async function signedCall(attest: string, byToken = false) {
  repository = deferred<void>();
  const { id, uri } = await harness.checkout();
  const claims = { attest, dest: { tn: [NUMBER.slice(1)] }, iat: Math.floor(Date.now() / 1_000), origid: 'x' };
  const orig = { tn: '15550101234' };
  const identity = await identityHeader(leaf.privateKey, { x5u: X5U }, { ...claims, orig });
  const caller = await harness.caller();
  const headers = { From: '<sip:+15550101234@trunk.example.com>', Identity: identity };
  const from = harness.said.entries.length;
  const said = (line: string) => harness.said.waitFor(() => harness.said.entries.slice(from).includes(line));
  expect((await caller.dial(byToken ? uri : harness.uri(NUMBER), { headers })).status).toBe(200);
  await said('greeting');
  const screen = async () => (await readCheckouts(harness.db.database, [id]))[0]?.screen ?? null;
  return { caller, said, screen };
}

it('the line offers a saved card before the certificate arrives, but does not charge it afterwards', async () => {
  const before = fetched.length;
  const { caller, said, screen } = await signedCall('C');
  expect(fetched.slice(before)).toEqual([X5U]);
  expect(await screen()).toBeNull();
  repository.resolve();
  await expect.poll(screen).toMatchObject({ decision: 'step_up', reasons: ['attestation_c'], attestation: 'C' });
  await caller.press('1');
  await said('ask confirmation');
  await caller.press('1');
  await said('saved_card_unusable');
  await caller.hangUp();
});

it('the line accepts a full attestation', async () => {
  const { caller, screen } = await signedCall('A');
  repository.resolve();
  await expect.poll(screen).toMatchObject({ decision: 'allow', attestation: 'A', notes: [] });
  await caller.hangUp();
});

it('the line fetches no certificate for the leg of a transferring platform', async () => {
  const before = fetched.length;
  const { caller, screen } = await signedCall('C', true);
  await caller.hangUp();
  expect(fetched).toHaveLength(before);
  expect(await screen()).toBeNull();
});
