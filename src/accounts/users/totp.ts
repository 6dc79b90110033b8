/** Codes of authenticator apps (RFC 6238): SHA-1, six digits, 30 seconds, because that is what every app can do. */
import { Secret, TOTP } from 'otpauth';

const PERIOD_SECONDS = 30;
/** RFC 4226, section 4: 160 bits. */
const SECRET_BYTES = 20;
/** One step before and one after: the clock of a phone is not ours (RFC 6238, section 5.2). */
const WINDOW = 1;
const ISSUER = 'Ringkey';

/** The encryption context of a user's secret. */
export const totpContext = (userId: string) => `user:${userId}:totp`;

/** A fresh secret in base 32, as apps take it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret });
}

/**
 * As the app lists it: an app may replace the entry of the same name, and one address may have users in several
 * accounts.
 */
export const totpLabel = (email: string, accountName: string) => `${email} (${accountName})`;

/** What the QR code holds: `otpauth://totp/…`. @param label which user of which account, as the app lists it */
export function totpUri(secret: string, label: string): string {
  return totpOf(secret, label).toString();
}

/** The number of the 30 seconds that a code is for; null where it is not one of now. @param code six digits */
export function totpStepOf(secret: string, code: string, nowMs: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? null : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta;
}
