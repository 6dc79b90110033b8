/** `/v1/keys`: requests and answers. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { MAX_OVERLAP_SECONDS } from '../../keys/manage.ts';
import { KeyResource } from '../../keys/resources.ts';
import { line } from './text.ts';

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
