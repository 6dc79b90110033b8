/** Limits of texts for tests of something else, which text one number often. */
import type { TextLimits } from '../../src/domain/text-limits.ts';

const MANY = 100_000;
export const NO_TEXT_LIMITS: TextLimits = {
  recipientHour: MANY,
  recipientDay: MANY,
  accountHour: MANY,
  accountDay: MANY,
};
