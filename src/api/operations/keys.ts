/** The reference's words on keys. */
import { z } from 'zod';
import { FIELDS } from '../../contract/fields.ts';
import { IssuedKeyResource, KeyResource, RolledKeyResource } from '../../keys/resources.ts';
import type { Need, Operation } from '../reference/operation.ts';
import { CreateKeyRequest, KeyList, RollKeyRequest } from '../schemas/keys.ts';
import { PageQuery } from '../schemas/pages.ts';

const group = 'Keys';
const KEY: Need = { name: 'KEY', operation: 'create_key', field: 'key_id' };
const params = z.object({ id: FIELDS.key_id });
const example = { needs: [KEY], params: { id: '$KEY' } };

export const CREATE_KEY: Operation = {
  id: 'create_key',
  group,
  summary: 'Create a key',
  description: `A key of the account, in the mode of the key that asks: a live key is made with a live key. \`key\` is shown this once; only its hash is
kept. An account has at most 100 living keys a mode. Its first one comes from whoever runs the service.`,
  request: CreateKeyRequest,
  response: IssuedKeyResource,
  answers: 'The key, this once.',
  errors: ['invalid_environment'],
  example: { body: { name: 'Voice agent' } },
};

export const LIST_KEYS: Operation = {
  id: 'list_keys',
  group,
  summary: 'List keys',
  description: 'Newest first, of this mode; revoked ones, too. Never the keys themselves.',
  query: PageQuery,
  response: KeyList,
  answers: 'A page of the list.',
  errors: [],
  example: { query: { limit: '3' } },
};

export const ROLL_KEY: Operation = {
  id: 'roll_key',
  group,
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

export const REVOKE_KEY: Operation = {
  id: 'revoke_key',
  group,
  summary: 'Revoke a key',
  description: 'It stops working everywhere within a second. Revoking it again changes nothing.',
  params,
  response: KeyResource,
  answers: 'The key, revoked.',
  errors: ['key_not_found'],
  example,
};
