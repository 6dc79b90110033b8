/** `/v1/keys`: requests and answers. */
import { z } from 'zod';
import { MAX_OVERLAP_SECONDS } from '../../keys/manage.ts';
import { KeyResource } from '../../keys/resources.ts';
import { text } from './text.ts';

const MAX_NAME_LENGTH = 100;

export const CreateKeyRequest = z.object({
  /** Only that of the key that asks: no key opens the other mode. */
  environment: z.enum(['test', 'live']).optional(),
  name: text(MAX_NAME_LENGTH).optional(),
});

const DEFAULT_OVERLAP_SECONDS = 24 * 60 * 60;

export const RollKeyRequest = z.object({
  /** How long the old key goes on; 0: not a moment. */
  expires_in_seconds: z.int().min(0).max(MAX_OVERLAP_SECONDS).default(DEFAULT_OVERLAP_SECONDS),
});

export const KeyList = z.object({ keys: z.array(KeyResource), has_more: z.boolean() });
export type KeyList = z.infer<typeof KeyList>;
