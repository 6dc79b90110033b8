/** Checking of Identity headers, where RINGKEY_STIR_ROOTS names the authorities that are trusted with it. */
import type { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Config } from '../config/settings.ts';
import { CannotStart } from '../lib/start-error.ts';
import type { CheckIdentities } from '../phone/deps.ts';
import { createCertificateCache } from '../screening/stir/certificate-cache.ts';
import { certificatesIn } from '../screening/stir/certificates.ts';
import { checkIdentities } from '../screening/stir/identity.ts';

/** Far more than there are authorities. */
const MAX_ROOTS = 500;

/** @returns null where the setting is not set. @throws CannotStart when the file has no certificates */
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
