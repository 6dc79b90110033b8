/** A merchant's charges, minute by minute, with seeded random numbers: callers who are declined try again. */
import { farBelowUsual, type OpenedRate, QUARTER_HOUR, RATE_WINDOWS, shareOf } from '../../src/domain/success-rate.ts';

const DAY_MINUTES = 24 * 60;
const WEEK_DAYS = 7;

export interface SimulatedMerchant {
  /** On average over the day. By night there are fewer. */
  checkoutsPerHour: number;
  /** Share of first attempts that are declined, at a minute. */
  declineShare(minute: number): number;
  /** Share of declined attempts after which the caller tries again, up to three attempts. Half of these are declined, too. */
  retryShare?: number;
}

export interface Minute {
  charges: number;
  failed: number;
  /** Sum of the squares of each checkout's failures. */
  squares: number;
}

export const EMPTY: Readonly<Minute> = { charges: 0, failed: 0, squares: 0 };

/** Adds one checkout. */
export function addCheckout(minute: Minute, random: () => number, declined: number, retryShare: number): void {
  let failed = 0;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    minute.charges += 1;
    if (random() >= (attempt === 0 ? declined : 0.5)) break;
    failed += 1;
    if (random() >= retryShare) break;
  }
  minute.failed += failed;
  minute.squares += failed * failed;
}

/** Poisson, for small means. */
export function poisson(random: () => number, mean: number): number {
  const limit = Math.exp(-mean);
  let product = random();
  let found = 0;
  for (; product > limit; found += 1) product *= random();
  return found;
}

/** From 20% to 180% of the average. */
const ofDay = (minute: number) => 1 - 0.8 * Math.cos((2 * Math.PI * minute) / DAY_MINUTES);

class Window {
  readonly sum: Minute = { ...EMPTY };
  readonly #minutes: number;

  constructor(hours: number) {
    this.#minutes = Math.round(hours * 60);
  }

  move(all: readonly Minute[]): void {
    this.#add(all.at(-1) ?? EMPTY, 1);
    this.#add(all[all.length - 1 - this.#minutes] ?? EMPTY, -1);
  }

  #add({ charges, failed, squares }: Minute, sign: number): void {
    this.sum.charges += sign * charges;
    this.sum.failed += sign * failed;
    this.sum.squares += sign * squares;
  }
}

/** What a sweep found at a minute: an item opened, for this window, or was closed. */
export interface Found {
  minute: number;
  opened: number | null;
}

/** Sweeps once a minute from the second week on. Minutes count from the beginning of that week. */
export function simulateSweeps(merchant: SimulatedMerchant, days: number, random: () => number): Found[] {
  const minutes: Minute[] = [];
  const windows = new Map([QUARTER_HOUR, ...RATE_WINDOWS].map((hours) => [hours, new Window(hours)]));
  const sums = new Map([...windows].map(([hours, { sum }]) => [hours, sum]));
  const day = sums.get(24) ?? EMPTY;
  const found: Found[] = [];
  let usual = { ...EMPTY };
  let opened: OpenedRate | null = null;
  for (let minute = -WEEK_DAYS * DAY_MINUTES; minute < days * DAY_MINUTES; minute += 1) {
    const made = { ...EMPTY };
    for (let left = poisson(random, (merchant.checkoutsPerHour / 60) * ofDay(minute)); left > 0; left -= 1)
      addCheckout(made, random, merchant.declineShare(minute), merchant.retryShare ?? 0);
    minutes.push(made);
    for (const window of windows.values()) window.move(minutes);
    if (minute < 0) continue;
    if (minute % DAY_MINUTES === 0) usual = sumOf(minutes.slice(-WEEK_DAYS * DAY_MINUTES - 1, -1));
    const dispersion = day.failed === 0 ? 1 : day.squares / day.failed;
    const hours = farBelowUsual({ windows: sums, usual, dispersion, opened });
    if ((hours === null) !== (opened === null)) found.push({ minute, opened: hours });
    if (hours === null) opened = null;
    else opened = opened === null ? { hours, share: shareOf(sums.get(hours) ?? EMPTY), hoursAgo: 0 } : later(opened);
  }
  return found;
}

const later = (opened: OpenedRate): OpenedRate => ({ ...opened, hoursAgo: opened.hoursAgo + 1 / 60 });

function sumOf(minutes: readonly Minute[]): Minute {
  const sum = { ...EMPTY };
  for (const { charges, failed } of minutes) {
    sum.charges += charges;
    sum.failed += failed;
  }
  return sum;
}
