/** Secrets that must be read again (processor credentials, signing secrets), encrypted at rest with AES-256-GCM. */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';
import { ApiError } from '../../contract/errors.ts';
import type { InstrumentId } from '../../domain/ids.ts';
import type { HandleAtRest } from '../../domain/instrument.ts';

/** A sealed text was sealed with another key or for another row, or is damaged. The message never has the content. */
export class CannotOpen extends Error {
  constructor(why: string) {
    super(`a sealed secret cannot be opened: ${why}`);
    this.name = 'CannotOpen';
  }
}

export interface Vault {
  /** @param context the owner, e.g. `processor:mer_…`. A text sealed for one row does not open for another */
  seal(text: string, context: string): string;
  /** @throws CannotOpen */
  open(sealed: string, context: string): string;
  /** Whether the text's key is among the keys. Decrypts nothing. */
  canOpen(sealed: string): boolean;
  /** Whether it was sealed with the first key, in the current format. Decrypts nothing. */
  isCurrent(sealed: string): boolean;
}

export const KEY_BYTES = 32;
/** NIST SP 800-38D, 8.2.2: 96 random bits suffice for 2^32 secrets per key. */
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** @throws ApiError `not_configured` without encryption keys */
export function requireVault(vault: Vault | null): Vault {
  if (vault !== null) return vault;
  throw new ApiError('not_configured', { message: 'Secrets can be kept with RINGKEY_ENCRYPTION_KEYS only.' });
}

/** {@link Vault.open}, but null if the text cannot be opened. */
export function openOrNull(vault: Vault | null, sealed: string, context: string): string | null {
  try {
    return vault === null ? null : vault.open(sealed, context);
  } catch (error) {
    if (error instanceof CannotOpen) return null;
    throw error;
  }
}

interface VaultKey {
  id: string;
  bytes: Buffer;
}

/**
 * The first key encrypts, all keys decrypt. To rotate, put a new key first, and remove the old one once no text uses it
 * (`ringkey vault reseal`). Each sealed text names its key.
 * @param keys of 32 bytes each, at least one
 */
export function createVault(keys: readonly Buffer[]): Vault {
  const known = keys.map((bytes): VaultKey => ({ id: idOf(bytes), bytes }));
  const [first] = known;
  if (first === undefined || keys.some((key) => key.length !== KEY_BYTES)) throw new Error('keys of 32 bytes wanted');
  return {
    seal: (text, context) => encrypt(first, text, context),
    open(sealed, context) {
      const [id = '', body = ''] = sealed.split('.', 2);
      const key = known.find((candidate) => candidate.id === id);
      if (key === undefined) throw new CannotOpen('its key is not among the keys');
      return decrypt(key, Buffer.from(body, 'base64url'), context);
    },
    canOpen: (sealed) => known.some(({ id }) => sealed.startsWith(`${id}.`)),
    isCurrent: (sealed) => sealed.startsWith(`${first.id}.`),
  };
}

/** A name for the key that says nothing about it. */
function idOf(key: Buffer): string {
  return createHash('sha256').update('ringkey encryption key').update(key).digest('hex').slice(0, 8);
}

function encrypt(key: VaultKey, text: string, context: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return `${key.id}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`;
}

function decrypt(key: VaultKey, bytes: Buffer, context: string): string {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
  if (tag.length !== TAG_BYTES) throw new CannotOpen('it is too short');
  const decipher = createDecipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(tag);
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    throw new CannotOpen('it was sealed for something else, or changed');
  }
}

/** As stored. */
interface HeaderSecret {
  headerSigningSecret: string;
  headerSecretSealed: boolean;
}

/** The encryption context of an account's secret. */
export const headerSecretContext = (accountId: string) => `account:${accountId}:header_signing`;

/** @param vault null without encryption keys: the secret is then stored in clear */
export function sealHeaderSecret(vault: Vault | null, accountId: string, secret: string): HeaderSecret {
  if (vault === null) return { headerSigningSecret: secret, headerSecretSealed: false };
  return { headerSigningSecret: vault.seal(secret, headerSecretContext(accountId)), headerSecretSealed: true };
}

/** Base64 of 32 bytes. @returns null if it cannot be opened, because its key is missing */
export function openHeaderSecret(vault: Vault | null, account: HeaderSecret & { id: string }): string | null {
  const { id, headerSigningSecret, headerSecretSealed } = account;
  return headerSecretSealed ? openOrNull(vault, headerSigningSecret, headerSecretContext(id)) : headerSigningSecret;
}

/** The encryption context of a card's handle. */
export const handleContext = (id: string) => `instrument:${id}`;

/** Encrypts a handle so that it can be opened for this card only, even if it is copied to another row. */
export function sealHandle(vault: Vault, id: InstrumentId, handle: string): string {
  return vault.seal(handle, handleContext(id));
}

/** @returns null if it cannot be opened, because its key is missing */
export function openHandle(vault: Vault | null, { id, processorHandle, handleSealed }: HandleAtRest): string | null {
  return handleSealed ? openOrNull(vault, processorHandle, handleContext(id)) : processorHandle;
}
