/** Screening of callers: the number lookup, the attestation sources and the check of Identity headers (STIR). */

import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { allowsPrivateTargets, numberLookupOf } from '../config/derived.ts';
import type { Config } from '../config/settings.ts';
import { findAccount } from '../db/keys/accounts.ts';
import type { Mode } from '../domain/session.ts';
import { CannotStart } from '../lib/start-error.ts';
import { openHeaderSecret } from '../lib/vault/vault.ts';
import type { CheckIdentities } from '../phone/deps.ts';
import { createHttpAttestations } from '../screening/http/attestations.ts';
import type { AttestationSource, NumberLookup } from '../screening/ports.ts';
import { createSandboxAttestations } from '../screening/sandbox/attestations.ts';
import { createSandboxLookup } from '../screening/sandbox/lookup.ts';
import { openScreening, type Screening } from '../screening/screening.ts';
import { createCertificateCache } from '../screening/stir/certificate-cache.ts';
import { certificatesIn } from '../screening/stir/certificates.ts';
import { checkIdentities } from '../screening/stir/identity.ts';
import { createTelnyxLookup } from '../screening/telnyx/lookup.ts';
import { createTwilioLookup } from '../screening/twilio/lookup.ts';
import type { Infrastructure } from './infrastructure.ts';
import { CLOSE_LIMIT_MS } from './lifecycle.ts';

/** Closes after REST, with the lookups that its requests started. */
export function startScreening(infrastructure: Infrastructure): Screening {
  const { config, database, lifecycle, metrics } = infrastructure;
  const limitMs = config.RINGKEY_NUMBER_LOOKUP_SECONDS * 1_000;
  const screening = openScreening({
    sql: database,
    lookups: numberLookupsOf(config),
    attestations: attestationSources(infrastructure),
    limitMs,
    budget: { hour: config.RINGKEY_NUMBER_LOOKUPS_PER_HOUR, day: config.RINGKEY_NUMBER_LOOKUPS_PER_DAY },
    onCheck: metrics.screening,
  });
  lifecycle.add('screening', limitMs + CLOSE_LIMIT_MS, () => screening.drain(limitMs));
  return screening;
}

/** `live` is the configured vendor. `test` makes no requests, because the numbers of test calls can be real. */
export function numberLookupsOf(config: Config): Record<Mode, NumberLookup | null> {
  const test = createSandboxLookup();
  switch (numberLookupOf(config)) {
    case 'off':
      return { test: null, live: null };
    // What it says of a number is made up: no live caller is judged by it.
    case 'sandbox':
      return { test, live: null };
    case 'telnyx':
      return { test, live: createTelnyxLookup({ apiKey: config.TELNYX_API_KEY ?? '' }) };
    case 'twilio': {
      const { TWILIO_ACCOUNT_SID: accountSid = '', TWILIO_AUTH_TOKEN: authToken = '' } = config;
      return { test, live: createTwilioLookup({ accountSid, authToken }) };
    }
  }
}

/** The sandbox's test calls exist in test mode only; an account's URL is used in both modes. */
function attestationSources({
  config,
  database,
  vault,
}: Pick<Infrastructure, 'config' | 'database' | 'vault'>): Record<Mode, readonly AttestationSource[]> {
  const http = createHttpAttestations({
    secretOf: async (accountId) => {
      const account = await findAccount(database, accountId);
      return account === null ? null : openHeaderSecret(vault, account);
    },
    privateTargets: allowsPrivateTargets(config),
  });
  return { test: [createSandboxAttestations(), http], live: [http] };
}

/** Far more authorities than exist. */
const MAX_ROOTS = 500;

/**
 * Checks Identity headers against the authorities in RINGKEY_STIR_ROOTS.
 * @returns null if it is not set. @throws CannotStart if the file has no certificates
 */
export function identityCheck({
  RINGKEY_STIR_ROOTS: path,
}: Pick<Config, 'RINGKEY_STIR_ROOTS'>): CheckIdentities | null {
  if (path === undefined) return null;
  const deps = { roots: rootsIn(path), certificates: createCertificateCache() };
  return (identities, call) => checkIdentities(deps, identities, call);
}

function rootsIn(path: string): X509Certificate[] {
  let roots: X509Certificate[];
  try {
    roots = certificatesIn(readFileSync(path, 'utf8'), MAX_ROOTS);
  } catch (error) {
    throw new CannotStart(`RINGKEY_STIR_ROOTS cannot be read: ${(error as Error).message}`);
  }
  if (roots.length === 0 || !roots.every(({ ca }) => ca)) {
    throw new CannotStart('RINGKEY_STIR_ROOTS must be a PEM file with the certificates of authorities.');
  }
  return roots;
}
