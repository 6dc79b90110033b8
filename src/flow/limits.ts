/** The conversation's limits: how long the line waits, and how often it asks. */
import type { ElsewherePayer } from './terms.ts';

/** For the first digit of a field, from the end of the question. */
export const FIRST_DIGIT_MS = 10_000;
/** The same for the question whether to save the card. Shorter, because silence is an answer: no. */
export const KEEP_CARD_MS = 6_000;
/** Between two digits of a field. */
export const BETWEEN_DIGITS_MS = 5_000;
/** After digits that may be complete, such as a 13-digit Visa number or `MM20`. */
export const MAY_BE_COMPLETE_MS = 4_000;
/** Between two "still working" sentences while the processor works. */
export const STILL_WORKING_MS = 8_000;
/** After this many of them (96 s) the outcome counts as unconfirmed. The payment's own limit comes long before. */
export const MAX_STILL_WORKING = 11;
/**
 * The same while the payment is made on the page (3 minutes, because a bank may ask the payer) or elsewhere (40 s,
 * because no bank asks). After it the payment counts as unconfirmed.
 */
export const MAX_WAITING: Readonly<Record<ElsewherePayer, number>> = { page: 22, other: 5 };
/** How many times 10 s of silence do not count as a failed try, while the caller has the pay page open. */
export const MAX_PATIENCE = 8;
/**
 * For the answer to `send_link`: until the line says that it takes a moment, and from then until it counts as not sent.
 */
export const LINK_ANNOUNCED_MS = 2_000;
export const LINK_ANSWER_MS = 8_000;
/** Between two sentences while the line waits for the payment by link. */
export const BY_LINK_MS = 20_000;
/** After this many of them (five minutes) the caller returns to the agent. */
export const MAX_BY_LINK = 15;
/** How often one of them says what else the caller can do (once a minute). */
export const CHOICES_EVERY = 3;
/** How long to wait for the answer to a charge after the caller has hung up. */
export const SETTLE_MS = 90_000;

/** Pause after a key without a merchant: the keys up to it are one failed try. */
export const ASTRAY_MS = 1_500;
/** For the claim of a session, until the line says that it takes a moment. */
export const TAKING_ANNOUNCED_MS = 2_000;

/** For the first digit of a transfer code, from the answer of the call. Then the line says that no payment is waiting. */
export const CODE_MS = 6_000;
/** Between two digits of a transfer code. Platforms dial several a second. */
export const BETWEEN_CODE_DIGITS_MS = 3_000;
/** Wrong transfer codes per call. */
export const MAX_WRONG_CODES = 3;
/** Keys before a transfer code is right: more than three codes with a `#` each. */
export const MAX_CODE_KEYS = 40;

/** Merchants to choose from: as many as an unprepared caller can remember. */
export const MAX_MERCHANTS = 3;
/** Tries at one field. */
export const MAX_TRIES = 3;
/** Declined charges per call. */
export const MAX_DECLINES = 3;
/** Saved cards on offer: as many as a caller can remember. */
export const MAX_SAVED_CARDS = 5;
/**
 * Keys per call: five times what the longest honest call needs. Without a limit, `*` could keep the line busy forever.
 */
export const MAX_KEYS = 500;
