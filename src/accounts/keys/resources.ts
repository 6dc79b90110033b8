/** API keys as REST and the command line show them. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { type ApiKey, KEY_SCOPES } from '../../domain/key.ts';
import type { IssuedKey } from './manage.ts';

export const KeyResource = z
  .object({
    key_id: FIELDS.key_id,
    environment: FIELDS.environment.describe('The mode of the key, as in its prefix.'),
    name: field(z.string().nullable(), 'The name from the request. Otherwise null.', 'Voice agent'),
    scope: field(
      z.enum(KEY_SCOPES),
      'What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions. `full`: everything.',
      'agent',
    ),
    allowed_sources: field(
      z.array(z.string()),
      'Addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed.',
      ['203.0.113.0/24'],
    ),
    prefix: field(z.string(), 'The first characters of the key, to recognize it.', 'rk_test_Vb3x'),
    created_at: FIELDS.created_at,
    expires_at: field(
      z.iso.datetime().nullable(),
      'When the key expires or expired. Rolling the key can set an earlier time. Null if it does not expire.',
      null,
    ),
    revoked_at: field(z.iso.datetime().nullable(), 'When the key was revoked. Null if it was not.', null),
  })
  .meta({ id: 'Key', description: 'An API key. The key itself is never shown.' });
export type KeyResource = z.infer<typeof KeyResource>;

/** The only answer with the key itself. */
export const IssuedKeyResource = KeyResource.extend({
  key: field(
    z.string(),
    'The key itself, for the `Authorization` header. Use it on servers only. It is shown only once; we store only its hash.',
    'rk_test_Vb3xExampleExampleExampleExampleExampleExam',
  ),
});
export type IssuedKeyResource = z.infer<typeof IssuedKeyResource>;

export const RolledKeyResource = IssuedKeyResource.extend({
  replaces: field(KeyResource, 'The old key, with its new `expires_at`.'),
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
