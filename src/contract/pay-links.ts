/** Pay links: whether the service can text them, and the words of errors that offer a link if it cannot. */
import type { Mode } from '../domain/session.ts';
import type { OtherWordsName } from '../languages/agent.ts';
import type { ErrorFacts } from './errors.ts';

/** Whether pay links can be sent in the mode. Check it before offering a link. */
export type CanSendLinks = (mode: Mode) => boolean;

const WORDS = {
  needs_enrollment: 'no_card_on_file',
  processor_mismatch: 'card_not_usable',
} as const satisfies Record<string, OtherWordsName>;

/** Codes that offer a link to the caller. */
export type LinkCode = keyof typeof WORDS;

/** Replaces the words and the action of such a code. Empty if a link can be sent. */
export function linkFacts(code: LinkCode, canSend: boolean): Pick<ErrorFacts, 'words' | 'action'> {
  return canSend ? {} : { words: WORDS[code], action: 'offer_different_card' };
}
