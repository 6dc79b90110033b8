/** `/v1/keys`: the account's API keys, in the mode of the requesting key. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { KeyCache } from '../../../accounts/keys/key-cache.ts';
import { issueKey, revokeKey, rollKey } from '../../../accounts/keys/manage.ts';
import {
  IssuedKeyResource,
  issuedResource,
  KeyResource,
  keyResource,
  RolledKeyResource,
  rolledResource,
} from '../../../accounts/keys/resources.ts';
import { ApiError, ofOtherMode } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { findKeyById, listKeys, type StoredKey } from '../../../db/keys/keys.ts';
import type { Database, Sql } from '../../../db/pool.ts';
import type { Scope } from '../../../domain/account.ts';
import { isAddressRange } from '../../../domain/address-range.ts';
import { type KeyId, parseId } from '../../../domain/ids.ts';
import { KEY_SCOPES } from '../../../domain/key.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';
import { line, overlapSeconds } from '../text-schemas.ts';

const MAX_NAME_LENGTH = 100;
const MAX_SOURCES = 32;

export const CreateKeyRequest = z.strictObject({
  environment: field(
    z.enum(['test', 'live']).optional(),
    'Must be the mode of your key, which is the default. No key can access the other mode.',
    'test',
  ),
  name: field(line(MAX_NAME_LENGTH).optional(), 'A name for people, to distinguish keys in a list.', 'Voice agent'),
  scope: field(
    z.enum(KEY_SCOPES).optional(),
    'What the key can do. `agent`: create checkouts, charge, text links, identify callers and read sessions, and nothing else. The default is `full`.',
    'agent',
  ),
  expires_at: field(
    z.iso.datetime({ offset: true }).optional(),
    'When the key expires, in the future. If you omit it, the key does not expire.',
    '2049-12-31T00:00:00Z',
  ),
  allowed_sources: field(
    z
      .array(z.string().refine(isAddressRange, { error: 'must be an IP address or a CIDR block' }))
      .max(MAX_SOURCES)
      .optional(),
    'IPv4 or IPv6 addresses and CIDR blocks from which requests are allowed. If empty, all addresses are allowed.',
    ['203.0.113.0/24'],
  ),
});

export const RollKeyRequest = z.strictObject({
  expires_in_seconds: overlapSeconds('the old key stays valid'),
});

export const KeyList = listOf('keys', KeyResource, 'Newest first, including revoked keys.');
export type KeyList = z.infer<typeof KeyList>;

const KEY: Need = { name: 'KEY', operation: 'create_key', field: 'key_id' };
const params = z.object({ id: FIELDS.key_id });
const example = { needs: [KEY], params: { id: '$KEY' } };

const CREATE_KEY = {
  id: 'create_key',
  group: 'Keys',
  summary: 'Create a key',
  description: `Creates a key of the account in the mode of your key: use a live key to create a live key. \`key\` is shown only
once; we store only its hash. An account can have up to 100 active keys per mode. The operator of the service
provides the first one.

Give a voice agent and its platform a key with the scope \`agent\`. It takes payments, but cannot create keys,
refund, change webhooks or replace a processor. Every operation says which keys can use it. Any other key returns
401 \`invalid_key\`.

A key with the scope \`full\` can do what a dashboard user with the role Developer can do. Only owners can manage
users, in the dashboard; no key can. A key does not depend on the user who created it and stays valid when that user
leaves. Roll the keys that the user has seen.`,
  request: CreateKeyRequest,
  response: IssuedKeyResource,
  answers: 'The key. It is shown only once.',
  errors: ['invalid_environment'],
  example: { body: { name: 'Voice agent', scope: 'agent' } },
} satisfies Operation;

const LIST_KEYS = {
  id: 'list_keys',
  group: 'Keys',
  summary: 'List keys',
  description:
    'Lists the keys of this mode, newest first, including revoked keys. The keys themselves are never shown.',
  query: PageQuery,
  response: KeyList,
  errors: [],
  example: { query: { limit: '3' } },
} satisfies ListOperation;

const RETRIEVE_KEY = {
  id: 'retrieve_key',
  group: 'Keys',
  summary: 'Retrieve a key',
  description:
    'Returns a key as the list shows it, including a revoked key. The key itself is never shown. For a key of another account, returns `key_not_found`. For a key of the other mode, returns `invalid_key`.',
  params,
  response: KeyResource,
  answers: 'The key in its current state.',
  errors: ['key_not_found'],
  example,
} satisfies Operation;

const ROLL_KEY = {
  id: 'roll_key',
  group: 'Keys',
  summary: 'Roll a key',
  description: `Creates a new key, which is shown only once. The old key stays valid for as long as you choose, up to seven days, so
that you can switch over. The new key has the same scope, sources and original expiry. If the key is revoked or
expired, returns \`key_not_found\`. Including rolled keys, an account can have up to 200 active keys.`,
  params,
  request: RollKeyRequest,
  response: RolledKeyResource,
  answers: 'The new key, shown only once, and the old key with its expiry.',
  errors: ['key_not_found'],
  example: { ...example, body: { expires_in_seconds: 3600 } },
} satisfies Operation;

const REVOKE_KEY = {
  id: 'revoke_key',
  group: 'Keys',
  summary: 'Revoke a key',
  description: 'The key stops working everywhere within a second. Revoking it again changes nothing.',
  params,
  response: KeyResource,
  answers: 'The revoked key.',
  errors: ['key_not_found'],
  example,
} satisfies Operation;

interface KeyRouteDeps {
  database: Database;
  keyCache: KeyCache;
}

export function keyRoutes(app: FastifyInstance, { database, keyCache }: KeyRouteDeps): void {
  addOperation(app, 'POST /keys', CREATE_KEY, async ({ body }, { scope, actor }) => {
    if (body.environment !== undefined && body.environment !== scope.mode) {
      throw ofOtherMode(scope.mode, '`environment`');
    }
    const grant = {
      name: body.name ?? null,
      scope: body.scope ?? 'full',
      allowedSources: body.allowed_sources ?? [],
      issuedUntil: body.expires_at === undefined ? null : new Date(body.expires_at),
    };
    return issuedResource(await issueKey(database, actor, scope, grant));
  });

  addList(app, 'GET /keys', LIST_KEYS, keyResource, ({ query }, { scope }) =>
    listKeys(database, scope, pageRequest(query)),
  );

  addOperation(app, 'GET /keys/:id', RETRIEVE_KEY, async ({ params }, { scope }) =>
    keyResource(await requireKey(database, scope, params.id)),
  );

  addOperation(app, 'POST /keys/:id/roll', ROLL_KEY, async ({ params, body }, { scope, actor }) => {
    const old = await requireKey(database, scope, params.id);
    const rolled = await rollKey(database, actor, old, body.expires_in_seconds);
    keyCache.forget(old.hash);
    return rolledResource(rolled);
  });

  addOperation(app, 'DELETE /keys/:id', REVOKE_KEY, async ({ params }, { scope, actor }) => {
    const key = await requireKey(database, scope, params.id);
    const revoked = await revokeKey(database, actor, key);
    keyCache.forget(key.hash);
    return keyResource(revoked);
  });
}

/** @throws ApiError `key_not_found`, also for a key of another account; `invalid_key` for a key of the other mode */
export async function requireKey(sql: Sql, scope: Scope, text: string): Promise<StoredKey> {
  const findOwn = async (id: KeyId) => {
    const key = await findKeyById(sql, id);
    return key?.accountId === scope.accountId ? key : null;
  };
  return requireInScope(scope, parseId('Key', text), findOwn, () => new ApiError('key_not_found', { param: 'key_id' }));
}
