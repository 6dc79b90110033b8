/** Pay links: whether the service can text any, and what an error that would offer one says where it cannot. */
import type { OtherWordsName } from './error-catalogue.ts';
import type { ErrorFacts } from './errors.ts';

/** Whatever would offer a link to a caller asks this first. */
export type CanSendLinks = () => boolean;

/** There is no pay page yet: `send_link` answers `not_configured`, so that no link is offered. */
export const canSendLinks: CanSendLinks = () => false;

const WORDS = {
  needs_enrollment: 'no_card_on_file',
  processor_mismatch: 'card_not_usable',
} as const satisfies Record<string, OtherWordsName>;

/** Codes whose words and action offer a link. */
export type LinkCode = keyof typeof WORDS;

/** What such an error has in place of the catalogue's words and action; nothing where links can be sent. */
export function linkFacts(code: LinkCode, can: CanSendLinks = canSendLinks): Pick<ErrorFacts, 'words' | 'action'> {
  return can() ? {} : { words: WORDS[code], action: 'offer_different_card' };
}
