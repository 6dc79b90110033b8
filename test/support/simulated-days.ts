/** A merchant's charges, day by day, with seeded random numbers, as the comparison of whole days sees them. */
import {
  type ChargeCounts,
  farBelowUsual,
  LAST_DAYS,
  type OpenedRate,
  shareOf,
  USUAL_DAYS,
} from '../../src/domain/success-rate.ts';
import { addCheckout, EMPTY, type Minute, poisson, type SimulatedMerchant } from './simulated-charges.ts';

const LONGEST_DAYS = 7;

/** What was found after a day: an item opened, for this window, or was closed. */
interface FoundDay {
  day: number;
  opened: number | null;
}

/** Looks once a day from the sixth week on. Days count from the beginning of that week. */
export function simulateDays(merchant: SimulatedMerchant, days: number, random: () => number): FoundDay[] {
  const all: Minute[] = [];
  const found: FoundDay[] = [];
  let opened: OpenedRate | null = null;
  /** No window that begins before this day opens an item. */
  let firstDay = Number.NEGATIVE_INFINITY;
  for (let day = -LONGEST_DAYS - USUAL_DAYS; day < days; day += 1) {
    all.push(dayOf(merchant, day, random));
    if (day < 0) continue;
    const windows = new Map<number, ChargeCounts>();
    for (const hours of LAST_DAYS.hours) {
      if (opened !== null || day - hours / 24 + 1 >= firstDay) windows.set(hours, sumOf(all.slice(-hours / 24)));
    }
    const usual = sumOf(all.slice(-LONGEST_DAYS - USUAL_DAYS, -LONGEST_DAYS));
    const { failed, squares } = sumOf(all.slice(-LONGEST_DAYS));
    const dispersion = failed === 0 ? 1 : squares / failed;
    const hours = farBelowUsual({ windows, usual, dispersion, opened }, LAST_DAYS);
    if ((hours === null) !== (opened === null)) found.push({ day, opened: hours });
    if (hours === null && opened !== null) firstDay = day + 2;
    opened = hours === null ? null : dayLater(opened, hours, shareOf(windows.get(hours) ?? EMPTY));
  }
  return found;
}

const dayLater = (opened: OpenedRate | null, hours: number, share: number): OpenedRate =>
  opened === null ? { hours, share, hoursAgo: 24 } : { ...opened, hoursAgo: opened.hoursAgo + 24 };

function dayOf(merchant: SimulatedMerchant, day: number, random: () => number): Minute {
  const sum = { ...EMPTY };
  for (let hour = 0; hour < 24; hour += 1) {
    const declined = merchant.declineShare((day * 24 + hour) * 60);
    for (let left = poisson(random, merchant.checkoutsPerHour); left > 0; left -= 1)
      addCheckout(sum, random, declined, merchant.retryShare ?? 0);
  }
  return sum;
}

function sumOf(days: readonly Minute[]): Minute {
  const sum = { ...EMPTY };
  for (const day of days) for (const key of ['charges', 'failed', 'squares'] as const) sum[key] += day[key];
  return sum;
}
