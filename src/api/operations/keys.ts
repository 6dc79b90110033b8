/** The reference's words on keys. */

import { IssuedKeyResource, KeyResource, RolledKeyResource } from '../../keys/resources.ts';
import type { Need, Operation } from '../reference/operation.ts';
import { CreateKeyRequest, KeyList, RollKeyRequest } from '../schemas/keys.ts';
import { PageQuery } from '../schemas/pages.ts';

const group = 'Keys';
const KEY: Need = { name: 'KEY', operation: 'create_key', field: 'key_id' };
const example = { needs: [KEY], params: { id: '$KEY' } };

export const CREATE_KEY: Operation = {
  id: 'create_key',
  group,
  summary: 'Create a key',
  description: 'In the mode of the key that asks. `key` is shown this once; only its hash is kept.',
  request: CreateKeyRequest,
  response: IssuedKeyResource,
  errors: ['invalid_environment'],
  example: { body: { name: 'Voice agent' } },
};

export const LIST_KEYS: Operation = {
  id: 'list_keys',
  group,
  summary: 'List keys',
  description: 'Newest first, of this mode; revoked ones, too.',
  query: PageQuery,
  response: KeyList,
  errors: ['key_not_found'],
  example: { query: { limit: '3' } },
};

export const ROLL_KEY: Operation = {
  id: 'roll_key',
  group,
  summary: 'Roll a key',
  description: 'A new key, shown this once; the old one goes on for as long as you say, up to seven days.',
  request: RollKeyRequest,
  response: RolledKeyResource,
  errors: ['key_not_found'],
  example: { ...example, body: { expires_in_seconds: 3600 } },
};

export const REVOKE_KEY: Operation = {
  id: 'revoke_key',
  group,
  summary: 'Revoke a key',
  description: 'It stops working everywhere within a second.',
  response: KeyResource,
  errors: ['key_not_found'],
  example,
};
