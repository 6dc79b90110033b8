/**
 * The second factor: codes of authenticator apps (RFC 6238: SHA-1, six digits, 30 seconds, which every app supports),
 * and recovery codes.
 */

import { createHash } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { isToken, randomToken } from '../../domain/ids.ts';
import type { User } from '../../domain/user.ts';

const PERIOD_SECONDS = 30;
/** RFC 4226, section 4: 160 bits. */
const SECRET_BYTES = 20;
/** One step before and after, because a phone's clock differs (RFC 6238, section 5.2). */
const WINDOW = 1;
const ISSUER = 'Ringkey';

/** The encryption context of a user's secret. */
export const totpContext = (userId: string) => `user:${userId}:totp`;

/** A new secret in base 32, as apps expect it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: ISSUER, label, algorithm: 'SHA1', digits: 6, period: PERIOD_SECONDS, secret });
}

/**
 * The name in the app. It has the account, because apps can replace an entry with the same name, and one address can
 * have users in several accounts.
 */
export const totpLabel = (email: string, accountName: string) => `${email} (${accountName})`;

/** The content of the QR code: `otpauth://totp/…`. @param label user and account, as the app lists them */
export function totpUri(secret: string, label: string): string {
  return totpOf(secret, label).toString();
}

/** The time step of a valid code; null if it is not valid now. @param code six digits */
export function totpStepOf(secret: string, code: string, nowMs: number): number | null {
  const delta = totpOf(secret).validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? null : Math.floor(nowMs / 1_000 / PERIOD_SECONDS) + delta;
}

const RECOVERY_CODES = 10;
const CODE_LENGTH = 16;

/**
 * Recovery codes for a user with an authenticator app. Each can be used once instead of the app's code, and has 80
 * random bits. Formatted as `abcd-efgh-2345-6789`.
 */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => (randomToken(CODE_LENGTH).match(/.{4}/g) ?? []).join('-'));
}

/** The code in the form that is hashed, however it was typed; null if it is malformed. */
export function parseRecoveryCode(text: string): string | null {
  const code = text.toLowerCase().replace(/[\s-]/g, '');
  return isToken(code, CODE_LENGTH) ? code : null;
}

/** @param code from {@link parseRecoveryCode} */
export function hashRecoveryCode(userId: string, code: string): Buffer {
  return createHash('sha256').update(`recovery code of ${userId}: ${code}`).digest();
}

/** @param codes as the user sees them */
export function recoveryHashes({ id }: Pick<User, 'id'>, codes: readonly string[]): Buffer[] {
  return codes.map((code) => hashRecoveryCode(id, parseRecoveryCode(code) ?? ''));
}
