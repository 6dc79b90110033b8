/** Text of people and other systems that is stored, shown or logged. */

/** U+202E and the other characters that change the direction of the text near them: Unicode Standard Annex 9. */
const BIDI_CONTROL = /\p{Bidi_Control}/u;

/** With one, a payer could read another name, amount or address than the stored text has. */
export const hasBidiControl = (text: string): boolean => BIDI_CONTROL.test(text);

/** Control characters and unpaired surrogates. PostgreSQL refuses U+0000, and has no UTF-8 for an unpaired surrogate. */
const UNREADABLE = /[\p{Cc}\p{Cs}]/gu;

/** Each is replaced, not removed: what was apart stays apart, so that no new ID or card number results. */
export const readableText = (text: string): string => text.replace(UNREADABLE, '\ufffd');
