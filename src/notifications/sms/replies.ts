/** Replies to our texts: STOP opts a number out, START opts it in again. The carriers send the confirmation. */
import type { Sql } from '../../db/pool.ts';
import { optIn, optOut } from '../../db/texts/texts.ts';

export interface Reply {
  /** E.164. */
  from: string;
  body: string;
}

/** Opt-out words: CTIA's messaging principles, and the carriers' synonyms. */
const STOP = new Set(['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE']);
const START = new Set(['START', 'UNSTOP', 'YES']);

/** @returns how the reply was understood */
export async function takeReply(sql: Sql, { from, body }: Reply): Promise<'stop' | 'start' | 'other'> {
  const word = wordOf(body);
  if (STOP.has(word)) {
    await optOut(sql, from, word);
    return 'stop';
  }
  if (!START.has(word)) return 'other';
  await optIn(sql, from);
  return 'start';
}

/** `" Stop. "` is STOP; "stop by at noon" is not. */
function wordOf(body: string): string {
  return body
    .trim()
    .replace(/[.!"']/g, '')
    .replace(/\s+/g, ' ')
    .toUpperCase();
}
