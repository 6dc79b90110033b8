/** Text of other systems that is stored or logged. */

/** Control characters and unpaired surrogates. PostgreSQL refuses U+0000, and has no UTF-8 for an unpaired surrogate. */
const UNREADABLE = /[\p{Cc}\p{Cs}]/gu;

/** Each is replaced, not removed: what was apart stays apart, so that no new ID or card number results. */
export const readableText = (text: string): string => text.replace(UNREADABLE, '\ufffd');
