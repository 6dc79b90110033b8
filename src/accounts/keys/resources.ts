/** API keys as REST and the command line show them. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { type ApiKey, KEY_SCOPES } from '../../domain/key.ts';
import type { IssuedKey } from './manage.ts';

export const KeyResource = z
  .object({
    key_id: FIELDS.key_id,
    environment: FIELDS.environment.describe('The mode that the key opens; its prefix says so, too.'),
    name: field(z.string().nullable(), 'As it was given when the key was made; else null.', 'Voice agent'),
    scope: field(
      z.enum(KEY_SCOPES),
      'What it may do: `agent` opens checkouts, charges, texts links, identifies callers and reads sessions; `full` does everything.',
      'agent',
    ),
    allowed_sources: field(
      z.array(z.string()),
      'Addresses and CIDR blocks that its requests may come from. Empty: from anywhere.',
      ['203.0.113.0/24'],
    ),
    prefix: field(z.string(), 'How the key begins: enough to tell it apart, useless to guess it.', 'rk_test_Vb3x'),
    created_at: FIELDS.created_at,
    expires_at: field(
      z.iso.datetime().nullable(),
      'When it ends or ended: as set when it was made, or earlier, since it was rolled. Null: it does not end.',
      null,
    ),
    revoked_at: field(z.iso.datetime().nullable(), 'When it was revoked. Null: it was not.', null),
  })
  .meta({ id: 'Key', description: 'A key as lists show it: never the key itself.' });
export type KeyResource = z.infer<typeof KeyResource>;

/** With the key's text, which is shown this once. */
export const IssuedKeyResource = KeyResource.extend({
  key: field(
    z.string(),
    'The key itself: for the `Authorization` header, server-side only. Shown this once; only its hash is kept.',
    'rk_test_Vb3xExampleExampleExampleExampleExampleExam',
  ),
});
export type IssuedKeyResource = z.infer<typeof IssuedKeyResource>;

export const RolledKeyResource = IssuedKeyResource.extend({
  replaces: field(KeyResource, 'The old key, with the `expires_at` at which it ends.'),
});
export type RolledKeyResource = z.infer<typeof RolledKeyResource>;

export function keyResource(key: ApiKey): KeyResource {
  return {
    key_id: key.id,
    environment: key.mode,
    name: key.name,
    scope: key.scope,
    allowed_sources: [...key.allowedSources],
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
