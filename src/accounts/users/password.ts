/** Passwords: the rules (NIST SP 800-63B, 3.1.1; PCI DSS 8.3.6) and Argon2id hashes. */
import { hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { COMMON_PASSWORDS } from './common-passwords.ts';

export const MIN_PASSWORD_LENGTH = 12;
/** Limits the cost of hashing. */
export const MAX_PASSWORD_LENGTH = 256;

/** OWASP Password Storage Cheat Sheet: 19 MiB, two passes, parallelism 1. The package uses Argon2id by default. */
const ARGON2 = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** A hash takes a core for about 30 ms, and a thread of the pool that also reads files and resolves names. */
const AT_ONCE = 2;
const MAX_WAITING = 40;

const turns = pLimit(AT_ONCE);

/** Too many concurrent sign-ins: nothing was checked. */
export class TooBusy extends Error {
  constructor() {
    super('too many passwords wait to be checked');
    this.name = 'TooBusy';
  }
}

export type PasswordFault = 'too_short' | 'too_long' | 'guessable';

/** The fault of a new password; null if there is none. @param email of the user */
export function passwordFault(password: string, email: string): PasswordFault | null {
  const text = normal(password);
  const length = [...text].length;
  if (length < MIN_PASSWORD_LENGTH) return 'too_short';
  if (length > MAX_PASSWORD_LENGTH) return 'too_long';
  const plain = text.toLowerCase();
  const isGuessable =
    COMMON_PASSWORDS.has(plain) || new Set(plain).size < 5 || plain.includes('ringkey') || plain === email;
  return isGuessable ? 'guessable' : null;
}

/** One form for characters that keyboards compose differently. */
const normal = (password: string) => password.normalize('NFKC');

/** @throws TooBusy */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(normal(password), ARGON2));
}

/** A hash of no password, checked if there is no user, so that the answer takes as long. */
let hashOfNone: Promise<string> | undefined;

/** @param stored null if there is no password: takes as long, and returns false. @throws TooBusy */
export async function isPassword(stored: string | null, password: string): Promise<boolean> {
  if (password.length > MAX_PASSWORD_LENGTH * 2) return false;
  hashOfNone ??= hash('no password has this hash', ARGON2);
  const wanted = stored ?? (await hashOfNone);
  const isRight = await inTurn(() => verify(wanted, normal(password)));
  return isRight && stored !== null;
}

function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (turns.pendingCount >= MAX_WAITING) throw new TooBusy();
  return turns(work);
}
