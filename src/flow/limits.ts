/** The conversation's bounds: how long the line waits, and how often it asks. */

/** For the first digit of a field, from the end of the sentence that asks for it. */
export const FIRST_DIGIT_MS = 10_000;
/** For the answer whether the card is to be kept, likewise: silence is one, and nobody should wait long to say it. */
export const KEEP_CARD_MS = 6_000;
/** Between two digits of a field. */
export const BETWEEN_DIGITS_MS = 5_000;
/** After digits that may already be all: a 13-digit Visa, `MM20`. */
export const MAY_BE_COMPLETE_MS = 4_000;
/** While the processor works: between two sentences that say so. */
export const STILL_WORKING_MS = 8_000;
/** After so many of them (96 s) the outcome counts as unconfirmed; the payment's own limit should come long before. */
export const MAX_STILL_WORKING = 11;
/** How long the answer to a charge is waited for once the caller has hung up. */
export const SETTLE_MS = 90_000;

/** Tries at one field. */
export const MAX_TRIES = 3;
/** Declined charges a call. */
export const MAX_DECLINES = 3;
/**
 * Keys a call. Five times what the longest honest call needs; without it `*`, or "change the card", could hold the
 * line for ever.
 */
export const MAX_KEYS = 500;
