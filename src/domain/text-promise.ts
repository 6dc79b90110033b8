/** Whether a caller can be promised a text: only if one can be sent. */
import type { Mode } from './session.ts';
import { isWithinReach, type TextReach } from './text-reach.ts';

export interface TextRecipient {
  mode: Mode;
  /** E.164; null if the number is unknown. */
  textsTo: string | null;
  /** The number opted out of texts (STOP). */
  hasOptedOut: boolean;
  /** The numbers that the account can text. */
  textReach: TextReach;
}

/**
 * Whether a text can be sent to the caller now, so that it can be promised.
 * @param hasCarrier as in {@link takesTexts}
 */
export function canText(recipient: TextRecipient, hasCarrier: boolean): boolean {
  const { textsTo, textReach } = recipient;
  return takesTexts(recipient, hasCarrier) && textsTo !== null && isWithinReach(textsTo, textReach);
}

/**
 * Whether texts can be sent at all, whatever the number.
 * @param hasCarrier whether RINGKEY_SMS names a carrier. Test mode needs none: its texts go to the log and count as
 * sent, so that a test sounds like a live call.
 */
export function takesTexts(
  { mode, textsTo, hasOptedOut }: Omit<TextRecipient, 'textReach'>,
  hasCarrier: boolean,
): boolean {
  return textsTo !== null && !hasOptedOut && (mode === 'test' || hasCarrier);
}
