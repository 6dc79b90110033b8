/** `/v1/keys`: the account's API keys, in the mode of the request's own key. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { Need, Operation } from '../reference/operation.ts';
import { PageQuery, requirePage, pageRequest } from '../pages.ts';
import { type IdRoute, requireInScope } from '../require-in-scope.ts';
import { line } from '../text-schemas.ts';
import { parseBody, parseQuery } from '../validation.ts';
import { ApiError } from '../../contract/errors.ts';
import { field, FIELDS } from '../../contract/fields.ts';
import { findKeyById, type StoredKey, listKeys } from '../../db/keys/keys.ts';
import type { Database, Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import { parseId } from '../../domain/ids.ts';
import type { KeyCache } from '../../keys/key-cache.ts';
import { issueKey, MAX_OVERLAP_SECONDS, revokeKey, rollKey } from '../../keys/manage.ts';
import {
  IssuedKeyResource,
  issuedResource,
  KeyResource,
  keyResource,
  RolledKeyResource,
  rolledResource,
} from '../../keys/resources.ts';

const MAX_NAME_LENGTH = 100;

export const CreateKeyRequest = z.strictObject({
  environment: field(
    z.enum(['test', 'live']).optional(),
    'Only that of the key that asks, which is also the default: no key opens the other mode.',
    'test',
  ),
  name: field(line(MAX_NAME_LENGTH).optional(), 'For people, to tell keys apart in a list.', 'Voice agent'),
});

const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;

export const RollKeyRequest = z.strictObject({
  expires_in_seconds: field(
    z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DEFAULT_OVERLAP_SECONDS),
    'How long the old key goes on, in seconds: 0 (not a moment) to 604800 (seven days); a day where not given.',
    3600,
  ),
});

export const KeyList = z.object({
  keys: field(z.array(KeyResource), 'Newest first; revoked ones, too.'),
  has_more: FIELDS.has_more,
});
export type KeyList = z.infer<typeof KeyList>;

const KEY: Need = { name: 'KEY', operation: 'create_key', field: 'key_id' };
const params = z.object({ id: FIELDS.key_id });
const example = { needs: [KEY], params: { id: '$KEY' } };

const CREATE_KEY: Operation = {
  id: 'create_key',
  group: 'Keys',
  summary: 'Create a key',
  description: `A key of the account, in the mode of the key that asks: a live key is made with a live key. \`key\` is shown this once; only its hash is
kept. An account has at most 100 living keys a mode. Its first one comes from whoever runs the service.`,
  request: CreateKeyRequest,
  response: IssuedKeyResource,
  answers: 'The key, this once.',
  errors: ['invalid_environment'],
  example: { body: { name: 'Voice agent' } },
};

const LIST_KEYS: Operation = {
  id: 'list_keys',
  group: 'Keys',
  summary: 'List keys',
  description: 'Newest first, of this mode; revoked ones, too. Never the keys themselves.',
  query: PageQuery,
  response: KeyList,
  answers: 'A page of the list.',
  errors: [],
  example: { query: { limit: '3' } },
};

const ROLL_KEY: Operation = {
  id: 'roll_key',
  group: 'Keys',
  summary: 'Roll a key',
  description: `A new key, shown this once; the old one goes on for as long as you say, up to seven days, so that both work while you change over. A
key that is revoked or past its time is \`key_not_found\`. At most 200 keys of an account live at once so.`,
  params,
  request: RollKeyRequest,
  response: RolledKeyResource,
  answers: 'The new key, this once, and the old one with its end.',
  errors: ['key_not_found'],
  example: { ...example, body: { expires_in_seconds: 3600 } },
};

const REVOKE_KEY: Operation = {
  id: 'revoke_key',
  group: 'Keys',
  summary: 'Revoke a key',
  description: 'It stops working everywhere within a second. Revoking it again changes nothing.',
  params,
  response: KeyResource,
  answers: 'The key, revoked.',
  errors: ['key_not_found'],
  example,
};

export interface KeyRouteDeps {
  database: Database;
  keyCache: KeyCache;
}

/** A key's text is in the answer that makes it, and nowhere else. */
export function keyRoutes(app: FastifyInstance, deps: KeyRouteDeps): void {
  app.post('/keys', { config: { operation: CREATE_KEY } }, async (request): Promise<IssuedKeyResource> => {
    const body = parseBody(CreateKeyRequest, request.body);
    if (body.environment !== undefined && body.environment !== request.scope.mode) throw new ApiError('invalid_key');
    return issuedResource(await issueKey(deps.database, request.scope, body.name ?? null));
  });

  app.get('/keys', { config: { operation: LIST_KEYS } }, async (request): Promise<KeyList> => {
    const page = pageRequest(parseQuery(PageQuery, request.query));
    const { items, hasMore } = requirePage(await listKeys(deps.database, request.scope, page));
    return { keys: items.map(keyResource), has_more: hasMore };
  });

  app.post<IdRoute>(
    '/keys/:id/roll',
    { config: { operation: ROLL_KEY } },
    async (request): Promise<RolledKeyResource> => {
      const { expires_in_seconds } = parseBody(RollKeyRequest, request.body);
      const old = await requireKey(deps.database, request.scope, request.params.id);
      const rolled = await rollKey(deps.database, old, expires_in_seconds);
      deps.keyCache.forget(old.hash);
      return rolledResource(rolled);
    },
  );

  app.delete<IdRoute>('/keys/:id', { config: { operation: REVOKE_KEY } }, async (request): Promise<KeyResource> => {
    const key = await requireKey(deps.database, request.scope, request.params.id);
    const revoked = await revokeKey(deps.database, key);
    deps.keyCache.forget(key.hash);
    return keyResource(revoked);
  });
}

/** @throws ApiError `key_not_found`, also for another account's; `invalid_key` for one of the other mode */
async function requireKey(sql: Sql, scope: Scope, text: string): Promise<StoredKey> {
  const id = parseId('Key', text);
  const key = id === null ? null : await findKeyById(sql, id);
  const own = key?.accountId === scope.accountId ? key : null;
  return requireInScope(own, scope, () => new ApiError('key_not_found', { param: 'key_id' }));
}
