/** Whether a caller may be promised a text: only where one can go out. */
import type { Mode } from './session.ts';
import { isWithinReach, type TextReach } from './text-reach.ts';

export interface TextRecipient {
  mode: Mode;
  /** E.164; null where no number is known. */
  textsTo: string | null;
  /** The number wants no texts (STOP). */
  hasOptedOut: boolean;
  /** Which numbers the account may text. */
  textReach: TextReach;
}

/**
 * Whether a text can go out to the caller now, and may: then it can be promised. @param hasCarrier as of {@link
 * takesTexts}
 */
export function canText(recipient: TextRecipient, hasCarrier: boolean): boolean {
  const { textsTo, textReach } = recipient;
  return takesTexts(recipient, hasCarrier) && textsTo !== null && isWithinReach(textsTo, textReach);
}

/**
 * Whether there is a way to text the caller, whatever the number.
 * @param hasCarrier whether RINGKEY_SMS names a carrier. Test mode needs none: its texts go to the log, and count as
 *   sent, so that a test sounds as the live call will
 */
export function takesTexts(
  { mode, textsTo, hasOptedOut }: Omit<TextRecipient, 'textReach'>,
  hasCarrier: boolean,
): boolean {
  return textsTo !== null && !hasOptedOut && (mode === 'test' || hasCarrier);
}
