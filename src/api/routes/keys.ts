/** `/v1/keys`: the account's API keys, in the mode of the request's own key. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { PageQuery, requirePage, pageRequest } from '../pages.ts';
import { requireInScope } from '../require-in-scope.ts';
import { line, overlapSeconds } from '../text-schemas.ts';
import { parseBody, parseQuery } from '../validation.ts';
import { ApiError } from '../../contract/errors.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { findKeyById, type StoredKey, listKeys } from '../../db/keys/keys.ts';
import type { Database, Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import { isAddressRange } from '../../domain/address-range.ts';
import { type KeyId, parseId } from '../../domain/ids.ts';
import { KEY_SCOPES } from '../../domain/key.ts';
import type { KeyCache } from '../../keys/key-cache.ts';
import { issueKey, revokeKey, rollKey } from '../../keys/manage.ts';
import {
  IssuedKeyResource,
  issuedResource,
  KeyResource,
  keyResource,
  RolledKeyResource,
  rolledResource,
} from '../../keys/resources.ts';

const MAX_NAME_LENGTH = 100;
const MAX_SOURCES = 32;

export const CreateKeyRequest = z.strictObject({
  environment: field(
    z.enum(['test', 'live']).optional(),
    'Only that of the key that asks, which is also the default: no key opens the other mode.',
    'test',
  ),
  name: field(line(MAX_NAME_LENGTH).optional(), 'For people, to tell keys apart in a list.', 'Voice agent'),
  scope: field(
    z.enum(KEY_SCOPES).optional(),
    'What it may do: `agent` opens checkouts, charges, texts links, identifies callers and reads sessions, and nothing else. `full` where not given.',
    'agent',
  ),
  expires_at: field(
    z.iso.datetime({ offset: true }).optional(),
    'When it ends, in the future. Where not given, it does not end.',
    '2049-12-31T00:00:00Z',
  ),
  allowed_sources: field(
    z
      .array(z.string().refine(isAddressRange, { error: 'is not an address or a CIDR block' }))
      .max(MAX_SOURCES)
      .optional(),
    'Addresses and CIDR blocks that its requests may come from, IPv4 or IPv6. From anywhere where there are none.',
    ['203.0.113.0/24'],
  ),
});

export const RollKeyRequest = z.strictObject({
  expires_in_seconds: overlapSeconds('the old key goes on'),
});

export const KeyList = z.object({
  keys: field(z.array(KeyResource), 'Newest first; revoked ones, too.'),
  has_more: FIELDS.has_more,
});
export type KeyList = z.infer<typeof KeyList>;

const KEY: Need = { name: 'KEY', operation: 'create_key', field: 'key_id' };
const params = z.object({ id: FIELDS.key_id });
const example = { needs: [KEY], params: { id: '$KEY' } };

const CREATE_KEY = {
  id: 'create_key',
  group: 'Keys',
  summary: 'Create a key',
  description: `A key of the account, in the mode of the key that asks: a live key is made with a live key. \`key\` is shown this once; only its hash is
kept. An account has at most 100 living keys a mode. Its first one comes from whoever runs the service.

Give a voice agent, and its platform, a key with the scope \`agent\`: it takes payments, and cannot make keys, refund, move webhooks or
replace a processor. Every operation says which keys may use it; any other is 401 \`invalid_key\`.

A key of the scope \`full\` can do what a user with the role developer can in the dashboard, and no more: users are managed there, by owners, with
no key. A key is not tied to the user who made it, and goes on when that user leaves: roll what they have seen.`,
  request: CreateKeyRequest,
  response: IssuedKeyResource,
  answers: 'The key, this once.',
  errors: ['invalid_environment'],
  example: { body: { name: 'Voice agent', scope: 'agent' } },
} satisfies Operation;

const LIST_KEYS = {
  id: 'list_keys',
  group: 'Keys',
  summary: 'List keys',
  description: 'Newest first, of this mode; revoked ones, too. Never the keys themselves.',
  query: PageQuery,
  response: KeyList,
  answers: 'A page of the list.',
  errors: [],
  example: { query: { limit: '3' } },
} satisfies Operation;

const ROLL_KEY = {
  id: 'roll_key',
  group: 'Keys',
  summary: 'Roll a key',
  description: `A new key, shown this once; the old one goes on for as long as you say, up to seven days, so that both work while you change over. Scope, sources and the end that was set when the key was made stay. A
key that is revoked or past its time is \`key_not_found\`. At most 200 keys of an account live at once so.`,
  params,
  request: RollKeyRequest,
  response: RolledKeyResource,
  answers: 'The new key, this once, and the old one with its end.',
  errors: ['key_not_found'],
  example: { ...example, body: { expires_in_seconds: 3600 } },
} satisfies Operation;

const REVOKE_KEY = {
  id: 'revoke_key',
  group: 'Keys',
  summary: 'Revoke a key',
  description: 'It stops working everywhere within a second. Revoking it again changes nothing.',
  params,
  response: KeyResource,
  answers: 'The key, revoked.',
  errors: ['key_not_found'],
  example,
} satisfies Operation;

interface KeyRouteDeps {
  database: Database;
  keyCache: KeyCache;
}

/** A key's text is in the answer that makes it, and nowhere else. */
export function keyRoutes(app: FastifyInstance, deps: KeyRouteDeps): void {
  addOperation(app, 'POST /keys', CREATE_KEY, async (request) => {
    const body = parseBody(CreateKeyRequest, request.body);
    if (body.environment !== undefined && body.environment !== request.scope.mode) throw new ApiError('invalid_key');
    const grant = {
      name: body.name ?? null,
      scope: body.scope ?? 'full',
      allowedSources: body.allowed_sources ?? [],
      issuedUntil: body.expires_at === undefined ? null : new Date(body.expires_at),
    };
    return issuedResource(await issueKey(deps.database, request.actor, request.scope, grant));
  });

  addOperation(app, 'GET /keys', LIST_KEYS, async (request) => {
    const page = pageRequest(parseQuery(PageQuery, request.query));
    const { items, hasMore } = requirePage(await listKeys(deps.database, request.scope, page));
    return { keys: items.map(keyResource), has_more: hasMore };
  });

  addOperation(app, 'POST /keys/:id/roll', ROLL_KEY, async (request) => {
    const { expires_in_seconds } = parseBody(RollKeyRequest, request.body);
    const old = await requireKey(deps.database, request.scope, request.params.id);
    const rolled = await rollKey(deps.database, request.actor, old, expires_in_seconds);
    deps.keyCache.forget(old.hash);
    return rolledResource(rolled);
  });

  addOperation(app, 'DELETE /keys/:id', REVOKE_KEY, async (request) => {
    const key = await requireKey(deps.database, request.scope, request.params.id);
    const revoked = await revokeKey(deps.database, request.actor, key);
    deps.keyCache.forget(key.hash);
    return keyResource(revoked);
  });
}

/** @throws ApiError `key_not_found`, also for another account's; `invalid_key` for one of the other mode */
async function requireKey(sql: Sql, scope: Scope, text: string): Promise<StoredKey> {
  const findOwn = async (id: KeyId) => {
    const key = await findKeyById(sql, id);
    return key?.accountId === scope.accountId ? key : null;
  };
  return requireInScope(scope, parseId('Key', text), findOwn, () => new ApiError('key_not_found', { param: 'key_id' }));
}
