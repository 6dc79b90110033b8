/** Hashes of what is kept as its hash only. */
import { hash } from 'node:crypto';

/** By way of a string: that takes a fifth of the time that asking Node for the bytes does. */
export function sha256(text: string): Buffer {
  return Buffer.from(hash('sha256', text, 'base64url'), 'base64url');
}
