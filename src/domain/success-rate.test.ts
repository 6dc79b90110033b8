/**
 * Simulates merchants whose charges fail at a known rate, and sweeps once a minute. RINGKEY_TEST_RATE_DAYS sets another
 * number of days, for a change of a threshold. The documentation of attention items has the figures.
 */
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/support/random.ts';
import { type SimulatedMerchant, simulateSweeps } from '../../test/support/simulated-charges.ts';
import { simulateDays } from '../../test/support/simulated-days.ts';
import { farBelowUsual, LAST_DAYS, type MerchantRates } from './success-rate.ts';

const DAYS = Number(process.env.RINGKEY_TEST_RATE_DAYS ?? 4);
const SEED = 20_261_126;
const MERCHANTS = 50;

/** From 5 to 200 checkouts an hour, of which 3% to 20% are declined at first. */
const busyMerchant = (place: number, changes: Partial<SimulatedMerchant>): SimulatedMerchant => {
  const share = 0.03 + (0.17 * ((place * 7) % MERCHANTS)) / MERCHANTS;
  return { checkoutsPerHour: 5 * 40 ** (place / MERCHANTS), declineShare: () => share, ...changes };
};

test.each<[what: string, changes: Partial<SimulatedMerchant>]>([
  ['whose rate never changes', {}],
  ['whose declined callers mostly try again', { retryShare: 0.6 }],
])('50 busy merchants %s open at most one item a month', (_what, changes) => {
  const random = seededRandom(SEED).next;
  let opened = 0;
  for (let place = 0; place < MERCHANTS; place += 1) {
    const found = simulateSweeps(busyMerchant(place, changes), DAYS, random);
    opened += found.filter((each) => each.opened !== null).length;
  }
  expect(opened).toBeLessThanOrEqual(Math.ceil(DAYS / 30));
});

const FROM = 10 * 60;

/** The median of the hours until an item opens, of 15 runs. */
function hoursUntilNoticed(checkoutsPerHour: number, before: number, after: number): number {
  const random = seededRandom(SEED).next;
  const declineShare = (minute: number) => (minute < FROM ? before : after);
  const hours = Array.from({ length: 15 }, () => {
    const found = simulateSweeps({ checkoutsPerHour, declineShare }, 1, random);
    const first = found.find(({ minute, opened }) => opened !== null && minute >= FROM);
    return first === undefined ? Number.POSITIVE_INFINITY : (first.minute - FROM) / 60;
  });
  return hours.sort((one, other) => one - other)[7] ?? Number.NaN;
}

test.each([
  [60, 0.08, 0.16, 5],
  [200, 0.05, 0.1, 3],
  [20, 0.1, 0.2, 9],
  [60, 0.08, 0.5, 0.75],
  [10, 0.1, 0.8, 1],
])(
  'of %i charges an hour, declines that rise from %f to %f are noticed within %f hours, in most cases',
  (per, before, after, within) => {
    expect(hoursUntilNoticed(per, before, after)).toBeLessThan(within);
  },
);

test('an item stays as long as declines are doubled, and closes within three hours after an outage of one hour', () => {
  const random = seededRandom(SEED).next;
  const merchant = (declineShare: SimulatedMerchant['declineShare']) => ({ checkoutsPerHour: 200, declineShare });
  const doubled = simulateSweeps(
    merchant((minute) => (minute < FROM ? 0.05 : 0.12)),
    1,
    random,
  );
  expect(doubled.filter(({ opened }) => opened === null).length).toBeLessThanOrEqual(1);
  const isOut = (minute: number) => minute >= FROM && minute < FROM + 60;
  const outage = simulateSweeps(
    merchant((minute) => (isOut(minute) ? 1 : 0.05)),
    1,
    random,
  );
  expect(outage[0]).toMatchObject({ opened: 1 });
  expect(outage[0]?.minute).toBeLessThan(FROM + 20);
  expect(outage[1]?.minute).toBeGreaterThan(FROM + 60);
  expect(outage[1]?.minute).toBeLessThan(FROM + 4 * 60);
});

/** Days until an item about days opens after a change at 10:00, of 100 runs in order. */
function daysUntilNoticed(checkoutsPerHour: number, before: number, after: number): number[] {
  const random = seededRandom(SEED).next;
  const declineShare = (minute: number) => (minute < FROM ? before : after);
  const days = Array.from({ length: 100 }, () => {
    const found = simulateDays({ checkoutsPerHour, declineShare }, 30, random);
    // A day is counted an hour after its end.
    return (found.find(({ opened }) => opened !== null)?.day ?? Number.POSITIVE_INFINITY) + (25 - FROM / 60) / 24;
  });
  return days.sort((one, other) => one - other);
}

test.each([
  [2.5, 0.08, 0.16, 4],
  [5, 0.08, 0.16, 3],
  [10, 0.08, 0.16, 2],
  [1, 0.1, 0.3, 3],
  [1, 0.08, 0.5, 2],
])(
  'of %f charges an hour, declines that rise from %f to %f are noticed within %f days, in most cases',
  (per, before, after, within) => {
    expect(daysUntilNoticed(per, before, after)[50]).toBeLessThan(within);
  },
);

test.each<[what: string, changes: Partial<SimulatedMerchant>]>([
  ['at a rate that never changes', {}],
  ['of whom most declined callers try again', { retryShare: 0.6 }],
])('merchants with few charges, %s, have fewer than one item about days in two years', (_what, changes) => {
  const random = seededRandom(SEED).next;
  let opened = 0;
  for (const checkoutsPerHour of [1, 2.5, 5]) {
    for (const share of [0.03, 0.08, 0.2]) {
      const merchant = { checkoutsPerHour, declineShare: () => share, ...changes };
      opened += simulateDays(merchant, 4 * 365, random).filter((each) => each.opened !== null).length;
    }
  }
  expect(opened / (9 * 4)).toBeLessThan(0.5);
});

test('an item about days stays while declines are doubled, and closes within eight days after they ended', () => {
  const random = seededRandom(SEED).next;
  const isDoubled = (minute: number) => minute >= 0 && minute < 14 * 24 * 60;
  const declineShare = (minute: number) => (isDoubled(minute) ? 0.16 : 0.08);
  const runs = Array.from({ length: 40 }, () => simulateDays({ checkoutsPerHour: 2.5, declineShare }, 40, random));
  const noticed = runs.filter(([first]) => first !== undefined && first.day < 14);
  expect(noticed.length).toBeGreaterThan(36);
  const opened = noticed.map((found) => found.filter((each) => each.opened !== null).length);
  expect(opened.filter((count) => count === 1).length).toBeGreaterThan(noticed.length * 0.8);
  for (const found of noticed) expect(found.at(-1)).toMatchObject({ opened: null });
  const closings = noticed.map((found) => found.at(-1)?.day ?? Number.NaN).sort((one, other) => one - other);
  expect(closings[Math.floor(noticed.length / 2)]).toBeLessThan(22);
});

test('less evidence is enough for days, which are compared less often', () => {
  const days = (failed: number) =>
    farBelowUsual(
      rates(0, 0, {
        windows: new Map([24, 72, 168].map((hours) => [hours, { charges: 180, failed }])),
        usual: { charges: 1_680, failed: 134 },
      }),
      LAST_DAYS,
    );
  expect(days(27)).toBeNull();
  expect(days(30)).toBe(24);
});

const rates = (failed: number, charges: number, changes: Partial<MerchantRates> = {}): MerchantRates => ({
  windows: new Map(
    [0.25, 1, 3, 6, 24].map((hours) => [hours, hours < 1 ? { charges: 0, failed: 0 } : { charges, failed }]),
  ),
  usual: { charges: 1_000, failed: 100 },
  dispersion: 1,
  opened: null,
  ...changes,
});

test('ten charges are enough if most of them fail, and nine are not', () => {
  expect(farBelowUsual(rates(8, 10))).toBe(1);
  expect(farBelowUsual(rates(5, 10))).toBeNull();
  expect(farBelowUsual(rates(9, 9))).toBeNull();
});

test('a merchant with fewer than 50 charges in the week has no usual rate', () => {
  expect(farBelowUsual(rates(10, 10, { usual: { charges: 50, failed: 2 } }))).toBe(1);
  expect(farBelowUsual(rates(10, 10, { usual: { charges: 49, failed: 2 } }))).toBeNull();
});

test('a difference of less than two points opens no item, however certain it is', () => {
  const usual = { charges: 10_000_000, failed: 100_000 };
  expect(farBelowUsual(rates(2_900, 100_000, { usual }))).toBeNull();
  expect(farBelowUsual(rates(3_100, 100_000, { usual }))).toBe(1);
});

test('a window that was not read is not judged, and an item of it is shown with the longest one that was', () => {
  const read = (failed: number, opened: MerchantRates['opened'] = null) =>
    rates(failed, 2_000, { windows: new Map([[1, { charges: 2_000, failed }]]), opened });
  expect(farBelowUsual(read(400))).toBe(1);
  expect(farBelowUsual(read(200))).toBeNull();
  const opened = { hours: 24, share: 0.2, hoursAgo: 30 };
  expect(farBelowUsual(read(400, opened))).toBe(1);
  expect(farBelowUsual(read(200, opened))).toBeNull();
});

test('an item closes when there are no charges any more, and stays as long as there are a few', () => {
  const opened = { hours: 1, share: 0.8, hoursAgo: 23 };
  const day = (charges: number) => new Map([1, 3, 6, 24].map((hours) => [hours, { charges, failed: charges }]));
  expect(farBelowUsual(rates(0, 0, { windows: day(3), opened }))).toBe(24);
  expect(farBelowUsual(rates(0, 0, { windows: day(0), opened }))).toBeNull();
});
