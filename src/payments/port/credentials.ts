/** A merchant's credentials at a processor, and how to reach its account. */
import { Secret } from '../../domain/secret.ts';
import type { Mode } from '../../domain/session.ts';

/** A merchant's credentials at a processor as plain text, by name: as received, and as they are encrypted. */
export type PlainCredentials = Readonly<Record<string, string>>;

/** Decrypted credentials. Logs and errors do not show the values. */
export type Credentials = Readonly<Record<string, Secret>>;

/** How to reach a merchant's account at the processor. */
export interface ProcessorAccess {
  mode: Mode;
  credentials: Credentials;
}

export function secretCredentials(plain: PlainCredentials): Credentials {
  return Object.fromEntries(Object.entries(plain).map(([name, value]) => [name, Secret.of(value)]));
}
