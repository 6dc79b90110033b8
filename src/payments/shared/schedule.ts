/** When the resolver looks up a pending charge: after 1 s, 5 s, 30 s, 2 min, 10 min, 1 h, then hourly for 3 days. */

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const HOURS = 72;

/** From the unknown answer to the first lookup. */
export const RESOLVE_AFTER_MS = 1 * SECOND;

/** `[n]`: the pause after lookup n + 1. After the last one, only a person can settle the charge. */
export const RESOLVE_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  120 * SECOND,
  600 * SECOND,
  HOUR,
  ...Array.from({ length: HOURS }, () => HOUR),
];

/** From the failure of a charge that the processor did not have to the next lookup, and from that to the last. */
export const FIRST_RECHECK_MS = HOUR;
export const SECOND_RECHECK_MS = 23 * HOUR;
/** The pause after a lookup without an answer, until the charge is this old. */
export const REPEATED_RECHECK_MS = HOUR;
export const LAST_RECHECK_AGE_MS = HOURS * HOUR;

/** Between two lookups of a bank debit that its bank has neither settled nor returned. */
export const DEBIT_CHECK_MS = 6 * HOUR;
/**
 * A debit without an outcome after this time is left to a person. Banks return most within two banking days (Nacha: "return
 * time frame"), and processors report the settlement within ten.
 */
export const DEBIT_LIMIT_MS = 21 * 24 * HOUR;

/** Between two lookups of a paid bank debit, for a return. */
export const RETURN_CHECK_MS = 24 * HOUR;
/**
 * A debit that was paid this long ago is no longer looked up. Banks return a debit that its payer did not authorize until the
 * 60th day after its settlement (Nacha: "extended return entry").
 */
export const RETURN_LIMIT_MS = 70 * 24 * HOUR;

const DAYS = 27;

/** For refunds, which may wait for the merchant's next sales: after three days, daily for a month. */
export const REFUND_RESOLVE_DELAYS_MS: readonly number[] = [
  ...RESOLVE_DELAYS_MS,
  ...Array.from({ length: DAYS }, () => 24 * HOUR),
];
