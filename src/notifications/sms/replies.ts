/** Replies to our texts: STOP opts a number out, START in again. The carriers send the confirmation themselves. */
import type { Sql } from '../../db/pool.ts';
import { optIn, optOut } from '../../db/texts/texts.ts';

export interface Reply {
  /** E.164. */
  from: string;
  body: string;
}

/** Opt-out words: CTIA's messaging principles, and what the carriers take for the same. */
const STOP = new Set(['STOP', 'STOPALL', 'STOP ALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'OPTOUT', 'REVOKE']);
const START = new Set(['START', 'UNSTOP', 'YES']);

/** @returns what it was taken for */
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
