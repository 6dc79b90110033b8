/** Tokens of sessions, invitations and sign-in attempts: 256 random bits, stored as SHA-256 only. */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** 43 URL-safe characters. */
export function newUserToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** No salt: 256 random bits cannot be guessed, and the hash is the lookup key. */
export function hashUserToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

export function isUserToken(text: string): boolean {
  return TOKEN.test(text);
}
