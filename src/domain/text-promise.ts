/** Whether a caller may be promised a text: only where one can go out. */
import type { Mode } from './session.ts';

export interface TextRecipient {
  mode: Mode;
  /** E.164; null where no number is known. */
  textsTo: string | null;
  /** The number wants no texts (STOP). */
  hasOptedOut: boolean;
}

/**
 * @param hasCarrier whether RINGKEY_SMS names a carrier. Test mode needs none: its texts go to the log, and count as sent, so
 *   that a test sounds as the live call will
 */
export function canText({ mode, textsTo, hasOptedOut }: TextRecipient, hasCarrier: boolean): boolean {
  return textsTo !== null && !hasOptedOut && (mode === 'test' || hasCarrier);
}
