/** `/v1/keys`: an account's keys in the mode of the key that asks. The other mode's keys are that mode's business. */
import type { FastifyInstance } from 'fastify';
import type { Scope } from '../../domain/account.ts';
import { ApiError } from '../../domain/errors.ts';
import { parseId } from '../../domain/ids.ts';
import { issueKey, type KeysDeps, revokeKey, rollKey } from '../../keys/manage.ts';
import {
  type IssuedKeyResource,
  issuedResource,
  type KeyResource,
  keyResource,
  type RolledKeyResource,
  rolledResource,
} from '../../keys/resources.ts';
import type { Sql } from '../../store/database.ts';
import { findKeyById, type KeptKey, listKeys } from '../../store/keys.ts';
import { CREATE_KEY, LIST_KEYS, REVOKE_KEY, ROLL_KEY } from '../operations/keys.ts';
import { CreateKeyRequest, type KeyList, RollKeyRequest } from '../schemas/keys.ts';
import { PageQuery } from '../schemas/pages.ts';
import { parseBody, parseQuery } from '../validation.ts';

interface KeyRoute {
  Params: { id: string };
}

export function keyRoutes(app: FastifyInstance, deps: KeysDeps): void {
  app.post('/keys', { config: { operation: CREATE_KEY } }, async (request): Promise<IssuedKeyResource> => {
    const body = parseBody(CreateKeyRequest, request.body);
    if (body.environment !== undefined && body.environment !== request.scope.mode) throw new ApiError('invalid_key');
    return issuedResource(await issueKey(deps.database, request.scope, body.name ?? null));
  });

  app.get('/keys', { config: { operation: LIST_KEYS } }, async (request): Promise<KeyList> => {
    const query = parseQuery(PageQuery, request.query);
    const last = query.starting_after;
    const after = last === undefined ? null : (await ownKey(deps.database, request.scope, last, 'starting_after')).id;
    const keys = await listKeys(deps.database, request.scope, { limit: query.limit + 1, after });
    return { keys: keys.slice(0, query.limit).map(keyResource), has_more: keys.length > query.limit };
  });

  app.post<KeyRoute>(
    '/keys/:id/roll',
    { config: { operation: ROLL_KEY } },
    async (request): Promise<RolledKeyResource> => {
      const { expires_in_seconds } = parseBody(RollKeyRequest, request.body);
      const old = await ownKey(deps.database, request.scope, request.params.id, 'key_id');
      return rolledResource(await rollKey(deps, old, expires_in_seconds));
    },
  );

  app.delete<KeyRoute>('/keys/:id', { config: { operation: REVOKE_KEY } }, async (request): Promise<KeyResource> => {
    const key = await ownKey(deps.database, request.scope, request.params.id, 'key_id');
    return keyResource((await revokeKey(deps, key)).key);
  });
}

/** @throws ApiError `key_not_found`, also for another account's; `invalid_key` for one of the other mode */
async function ownKey(sql: Sql, scope: Scope, text: string, param: string): Promise<KeptKey> {
  const id = parseId('Key', text);
  const key = id === null ? null : await findKeyById(sql, id);
  if (key === null || key.accountId !== scope.accountId) throw new ApiError('key_not_found', { param });
  if (key.mode !== scope.mode) throw new ApiError('invalid_key');
  return key;
}
