/**
 * Decides whether a merchant's charges fail far more often than in the week before. Pure: the counts come from the caller.
 *
 * The hour is compared first. Longer windows notice changes that the charges of an hour are too few to show. The evidence
 * is the log-likelihood ratio of two rates against one (the G-test), which holds for small counts and rare failures. A
 * caller who is declined tries again, so failures come in groups: the evidence is divided by their dispersion. The
 * thresholds are those of the simulation in success-rate.test.ts.
 */

export interface ChargeCounts {
  charges: number;
  failed: number;
}

/** Windows that end now, in hours. */
export const RATE_WINDOWS = [1, 3, 6, 24] as const;
export type RateWindow = (typeof RATE_WINDOWS)[number];

/** The first window to show that charges succeed again. */
export const QUARTER_HOUR = 0.25;

/** What was found when an item opened. */
export interface OpenedRate {
  hours: number;
  /** The share that failed. */
  share: number;
  /** How long ago. */
  hoursAgo: number;
}

export interface MerchantRates {
  /** By hours: the {@link RATE_WINDOWS} and the {@link QUARTER_HOUR}. Of a merchant with many charges, the first ones. */
  windows: ReadonlyMap<number, ChargeCounts>;
  /** The last seven days that are over. */
  usual: ChargeCounts;
  /** The sum of squares of each checkout's failures of a day by their sum: 1 if no checkout has failed twice. */
  dispersion: number;
  /** Null: no item is open. */
  opened: OpenedRate | null;
}

const FEWEST = 10;
/** With fewer charges in the seven days, no rate is the usual one. */
export const FEWEST_USUAL = 50;
/** Twice the log-likelihood ratio: the square of 4.7 standard deviations. */
const EVIDENCE = 22.5;
/** Failures are this many times the usual, and more by this share of the charges. */
const TIMES = 1.5;
const MORE = 0.02;
/** An item of more than a day is over at the latest when the longest window's failures are fewer than this many times the usual. */
const STILL_TIMES = 1.25;
/** A shorter window must show the change, too, if at least this many failures would be usual in it. */
const COMPARABLE_FAILURES = 4;
/** An item is over if, in one of the windows, the usual rate is a hundred times as likely as a worse one. */
const RECOVERED = Math.log(100);

/** @returns the window whose rate the item names; null if the rate is not far below the usual one */
export function farBelowUsual(rates: MerchantRates): RateWindow | null {
  const usual = shareOf(rates.usual);
  if (rates.usual.charges < FEWEST_USUAL) return null;
  const { opened } = rates;
  // Nothing is left that could be far below.
  if (countsOf(rates, longestOf(rates)).charges === 0) return null;
  if (opened !== null && isStillBelow(rates, opened, usual)) {
    return (
      RATE_WINDOWS.find((hours) => hours >= opened.hours && countsOf(rates, hours).charges >= FEWEST) ??
      longestOf(rates)
    );
  }
  return RATE_WINDOWS.find((hours) => isFarBelow(rates, hours, usual)) ?? null;
}

export const shareOf = ({ charges, failed }: ChargeCounts): number => (charges === 0 ? 0 : failed / charges);

const longestOf = ({ windows }: MerchantRates): RateWindow => RATE_WINDOWS.findLast((hours) => windows.has(hours)) ?? 1;

const NONE: ChargeCounts = { charges: 0, failed: 0 };
const countsOf = ({ windows }: MerchantRates, hours: number) => windows.get(hours) ?? NONE;

function isFarBelow(rates: MerchantRates, hours: RateWindow, usual: number): boolean {
  const counts = countsOf(rates, hours);
  const share = shareOf(counts);
  if (counts.charges < FEWEST || share < TIMES * usual || share < usual + MORE) return false;
  if (evidence(counts, rates.usual) < EVIDENCE * Math.max(1, rates.dispersion)) return false;
  const shorter = RATE_WINDOWS.filter((each) => each < hours).map((each) => countsOf(rates, each));
  const lasts = shorter.every(
    (newer) => usual * newer.charges < COMPARABLE_FAILURES || shareOf(newer) >= TIMES * usual,
  );
  return lasts && !hasRecovered(rates, hours, Math.max(share, ...shorter.map(shareOf)), usual);
}

function isStillBelow(rates: MerchantRates, { hours, share, hoursAgo }: OpenedRate, usual: number): boolean {
  if (hoursAgo > 24 && shareOf(countsOf(rates, longestOf(rates))) < STILL_TIMES * usual) return false;
  return !hasRecovered(rates, Math.max(hours, hoursAgo), share, usual);
}

/**
 * A window of the last hours shows the usual rate. It is compared with half of the increase: the share that opened an item
 * is by chance often higher than the lasting one.
 */
function hasRecovered(rates: MerchantRates, hours: number, share: number, usual: number): boolean {
  return [QUARTER_HOUR, ...RATE_WINDOWS].some((each) => {
    if (each > hours) return false;
    const counts = countsOf(rates, each);
    return logLikelihood(counts, usual) - logLikelihood(counts, (share + usual) / 2) >= RECOVERED;
  });
}

/** Twice the log-likelihood ratio of a rate of each against one rate of both. */
function evidence(counts: ChargeCounts, usual: ChargeCounts): number {
  const both = shareOf({ charges: counts.charges + usual.charges, failed: counts.failed + usual.failed });
  const more = (each: ChargeCounts) => logLikelihood(each, shareOf(each)) - logLikelihood(each, both);
  return 2 * (more(counts) + more(usual));
}

/** A rate of 0 or 1 would make a single charge to the contrary impossible. */
const LEAST_SHARE = 0.005;

function logLikelihood({ charges, failed }: ChargeCounts, share: number): number {
  const bounded = Math.min(Math.max(share, LEAST_SHARE), 1 - LEAST_SHARE);
  return failed * Math.log(bounded) + (charges - failed) * Math.log(1 - bounded);
}
