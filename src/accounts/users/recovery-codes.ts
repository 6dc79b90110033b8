/**
 * Recovery codes: ten for each user with an authenticator app, each usable once instead of its code. 80 random bits
 * each.
 */
import { createHash } from 'node:crypto';
import { isToken, randomToken } from '../../domain/ids.ts';

const CODES = 10;
const CODE_LENGTH = 16;

/** Formatted as `abcd-efgh-2345-6789`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: CODES }, () => (randomToken(CODE_LENGTH).match(/.{4}/g) ?? []).join('-'));
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
