/** The codes in the two addresses of a pay link. Both are random, because they permit a payment. */
import { isToken, randomToken, SHORT_TOKEN_LENGTH, TOKEN_LENGTH } from './ids.ts';

export interface PayCodes {
  /** In `<base>/p/<code>`, for texts: 12 characters, 60 random bits. */
  short: string;
  /** In `<base>/pay/<code>`: 26 characters, 130 random bits. */
  long: string;
}

export function newPayCodes(): PayCodes {
  return { short: randomToken(SHORT_TOKEN_LENGTH), long: randomToken() };
}

/** Which of the two codes a text can be, by its format; null if neither. */
export function payCodeForm(text: string): keyof PayCodes | null {
  if (isToken(text, SHORT_TOKEN_LENGTH)) return 'short';
  return isToken(text, TOKEN_LENGTH) ? 'long' : null;
}
