/** `/v1/keys`: an account's keys in the mode of the key that asks. The other mode's keys are that mode's business. */
import type { FastifyInstance } from 'fastify';
import type { Scope } from '../../domain/account.ts';
import { ApiError } from '../../contract/errors.ts';
import { parseId } from '../../domain/ids.ts';
import type { KeyCache } from '../../keys/key-cache.ts';
import { issueKey, revokeKey, rollKey } from '../../keys/manage.ts';
import {
  type IssuedKeyResource,
  issuedResource,
  type KeyResource,
  keyResource,
  type RolledKeyResource,
  rolledResource,
} from '../../keys/resources.ts';
import type { Database, Sql } from '../../db/pool.ts';
import { findKeyById, type KeptKey, listKeys } from '../../db/keys/keys.ts';
import { CREATE_KEY, LIST_KEYS, REVOKE_KEY, ROLL_KEY } from '../operations/keys.ts';
import { type IdRoute, pageFound, pageRequest } from '../require-in-scope.ts';
import { CreateKeyRequest, type KeyList, RollKeyRequest } from '../schemas/keys.ts';
import { PageQuery } from '../schemas/pages.ts';
import { parseBody, parseQuery } from '../validation.ts';

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
    const { items, hasMore } = pageFound(await listKeys(deps.database, request.scope, page));
    return { keys: items.map(keyResource), has_more: hasMore };
  });

  app.post<IdRoute>(
    '/keys/:id/roll',
    { config: { operation: ROLL_KEY } },
    async (request): Promise<RolledKeyResource> => {
      const { expires_in_seconds } = parseBody(RollKeyRequest, request.body);
      const old = await ownKey(deps.database, request.scope, request.params.id);
      const rolled = await rollKey(deps.database, old, expires_in_seconds);
      deps.keyCache.forget(old.hash);
      return rolledResource(rolled);
    },
  );

  app.delete<IdRoute>('/keys/:id', { config: { operation: REVOKE_KEY } }, async (request): Promise<KeyResource> => {
    const key = await ownKey(deps.database, request.scope, request.params.id);
    const revoked = await revokeKey(deps.database, key);
    deps.keyCache.forget(key.hash);
    return keyResource(revoked);
  });
}

/** @throws ApiError `key_not_found`, also for another account's; `invalid_key` for one of the other mode */
async function ownKey(sql: Sql, scope: Scope, text: string): Promise<KeptKey> {
  const id = parseId('Key', text);
  const key = id === null ? null : await findKeyById(sql, id);
  if (key === null || key.accountId !== scope.accountId) throw new ApiError('key_not_found', { param: 'key_id' });
  if (key.mode !== scope.mode) throw new ApiError('invalid_key');
  return key;
}
