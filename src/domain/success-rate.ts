/**
 * Decides whether a merchant's charges fail far more often than usual. Pure: the counts come from the caller.
 *
 * One rule has two sets of windows: the last hours, compared each minute with the week before, and for merchants with few
 * charges the last days, compared with the four weeks before. The shortest window is compared first. Longer windows notice
 * changes that its charges are too few to show. The evidence is the log-likelihood ratio of two rates against one (the
 * G-test), which holds for small counts and rare failures. A caller who is declined tries again, so failures come in
 * groups: the evidence is divided by their dispersion. The thresholds are those of the simulation in success-rate.test.ts.
 */

export interface ChargeCounts {
  charges: number;
  failed: number;
}

/** Windows that end now, in hours. */
export const RATE_WINDOWS = [1, 3, 6, 24] as const;

/** The first window to show that charges succeed again. */
export const QUARTER_HOUR = 0.25;

/** Which windows are compared. */
interface RateWindows {
  /** In hours, shortest first. All end at the same time. */
  hours: readonly number[];
  /** Twice the log-likelihood ratio that opens an item. */
  evidence: number;
}

/** Compared 1,440 times a day, so the evidence is the square of 4.7 standard deviations. */
const LAST_HOURS: RateWindows = { hours: RATE_WINDOWS, evidence: 22.5 };

/** Whole days, compared once a day, so less evidence is enough: the square of 3.3 standard deviations. */
export const LAST_DAYS: RateWindows = { hours: [24, 72, 168], evidence: 11 };
/** The usual rate of the {@link LAST_DAYS} is that of so many days before the longest window. */
export const USUAL_DAYS = 28;
/** With more charges a day, the {@link LAST_HOURS} notice that failures have doubled. */
export const FEW_A_DAY = 500;

/** What was found when an item opened. */
export interface OpenedRate {
  hours: number;
  /** The share that failed. */
  share: number;
  /** How long ago. */
  hoursAgo: number;
}

export interface MerchantRates {
  /** By hours. Of the last hours, the {@link QUARTER_HOUR} too. A window that is missing is not compared. */
  windows: ReadonlyMap<number, ChargeCounts>;
  /** Of the last hours: the last seven days that are over. Of the last days: the four weeks before. */
  usual: ChargeCounts;
  /** The sum of squares of each checkout's failures of a day by their sum: 1 if no checkout has failed twice. */
  dispersion: number;
  /** Null: no item is open. */
  opened: OpenedRate | null;
}

const FEWEST = 10;
/** With fewer charges in the time before, no rate is the usual one. */
export const FEWEST_USUAL = 50;
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
export function farBelowUsual(rates: MerchantRates, of: RateWindows = LAST_HOURS): number | null {
  const usual = shareOf(rates.usual);
  if (rates.usual.charges < FEWEST_USUAL) return null;
  const { opened } = rates;
  // Nothing is left that could be far below.
  const longest = of.hours.findLast((hours) => rates.windows.has(hours)) ?? Number.NaN;
  if (countsOf(rates, longest).charges === 0) return null;
  if (opened !== null && isStillBelow(rates, opened, usual, longest)) {
    return of.hours.find((hours) => hours >= opened.hours && countsOf(rates, hours).charges >= FEWEST) ?? longest;
  }
  return of.hours.find((hours) => isFarBelow(rates, hours, usual, of)) ?? null;
}

export const shareOf = ({ charges, failed }: ChargeCounts): number => (charges === 0 ? 0 : failed / charges);

const NONE: ChargeCounts = { charges: 0, failed: 0 };
const countsOf = ({ windows }: MerchantRates, hours: number) => windows.get(hours) ?? NONE;

function isFarBelow(rates: MerchantRates, hours: number, usual: number, of: RateWindows): boolean {
  const counts = countsOf(rates, hours);
  const share = shareOf(counts);
  if (counts.charges < FEWEST || share < TIMES * usual || share < usual + MORE) return false;
  if (evidence(counts, rates.usual) < of.evidence * Math.max(1, rates.dispersion)) return false;
  const shorter = of.hours.filter((each) => each < hours).map((each) => countsOf(rates, each));
  const lasts = shorter.every(
    (newer) => usual * newer.charges < COMPARABLE_FAILURES || shareOf(newer) >= TIMES * usual,
  );
  return lasts && !hasRecovered(rates, hours, Math.max(share, ...shorter.map(shareOf)), usual);
}

function isStillBelow(
  rates: MerchantRates,
  { hours, share, hoursAgo }: OpenedRate,
  usual: number,
  longest: number,
): boolean {
  if (hoursAgo > 24 && shareOf(countsOf(rates, longest)) < STILL_TIMES * usual) return false;
  return !hasRecovered(rates, Math.max(hours, hoursAgo), share, usual);
}

/**
 * A window of the last hours shows the usual rate. It is compared with half of the increase: the share that opened an item
 * is by chance often higher than the lasting one.
 */
function hasRecovered(rates: MerchantRates, hours: number, share: number, usual: number): boolean {
  return [...rates.windows].some(([each, counts]) => {
    if (each > hours) return false;
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
