/** Pay links: whether the service can text any, and what an error that would offer one says where it cannot. */
import type { Mode } from '../domain/session.ts';
import type { OtherWordsName } from './error-catalogue.ts';
import type { ErrorFacts } from './errors.ts';

/** Whatever would offer a link to a caller of that mode asks this first. */
export type CanSendLinks = (mode: Mode) => boolean;

const WORDS = {
  needs_enrollment: 'no_card_on_file',
  processor_mismatch: 'card_not_usable',
} as const satisfies Record<string, OtherWordsName>;

/** Codes whose words and action offer a link. */
export type LinkCode = keyof typeof WORDS;

/** What such an error has in place of the catalogue's words and action; nothing where a link can be sent. */
export function linkFacts(code: LinkCode, canSend: boolean): Pick<ErrorFacts, 'words' | 'action'> {
  return canSend ? {} : { words: WORDS[code], action: 'offer_different_card' };
}
