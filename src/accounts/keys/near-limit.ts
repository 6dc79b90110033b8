/** Notes keys that are near their limit of requests, for attention items. */
import type { BaseLogger } from 'pino';
import { writeKeyNearLimit } from '../../db/keys/keys.ts';
import type { Sql } from '../../db/pool.ts';
import type { KeyId } from '../../domain/ids.ts';

/** A key's note is not repeated sooner. */
const EVERY_MS = 60_000;
/** Then all are forgotten, and each is noted once more. */
const MOST_KEPT = 1_000;

/** @returns never rejects, and nothing has to wait for it: a lost note is made again by the next burst */
export type NoteKeyNearLimit = (id: KeyId) => Promise<void>;

export function createKeyNotes(sql: Sql, log: Pick<BaseLogger, 'warn'>): NoteKeyNearLimit {
  const noted = new Map<KeyId, number>();
  return async (id) => {
    const now = performance.now();
    if (now - (noted.get(id) ?? Number.NEGATIVE_INFINITY) < EVERY_MS) return;
    if (noted.size >= MOST_KEPT) noted.clear();
    noted.set(id, now);
    await writeKeyNearLimit(sql, id).catch((error: unknown) =>
      log.warn({ err: error, keyId: id }, 'a key near its limit of requests could not be noted'),
    );
  };
}
