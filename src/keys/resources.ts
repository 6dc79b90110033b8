/** Keys as REST and the command line show them. */
import { z } from 'zod';
import type { ApiKey } from '../domain/key.ts';
import type { IssuedKey } from './manage.ts';

export const KeyResource = z.object({
  key_id: z.string(),
  environment: z.enum(['test', 'live']),
  name: z.string().nullable(),
  /** How the key begins. */
  prefix: z.string(),
  created_at: z.iso.datetime(),
  /** When a rolled key ends or ended. */
  expires_at: z.iso.datetime().nullable(),
  revoked_at: z.iso.datetime().nullable(),
});
export type KeyResource = z.infer<typeof KeyResource>;

/** Shown this once. */
export const IssuedKeyResource = KeyResource.extend({ key: z.string() });
export type IssuedKeyResource = z.infer<typeof IssuedKeyResource>;

export const RolledKeyResource = IssuedKeyResource.extend({ replaces: KeyResource });
export type RolledKeyResource = z.infer<typeof RolledKeyResource>;

export function keyResource(key: ApiKey): KeyResource {
  return {
    key_id: key.id,
    environment: key.mode,
    name: key.name,
    prefix: key.prefix,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
  };
}

export function issuedResource({ key, text }: IssuedKey): IssuedKeyResource {
  return { ...keyResource(key), key: text };
}

export function rolledResource(rolled: IssuedKey & { old: ApiKey }): RolledKeyResource {
  return { ...issuedResource(rolled), replaces: keyResource(rolled.old) };
}
