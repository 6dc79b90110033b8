/**
 * Simulates merchants whose charges fail at a known rate, and sweeps once a minute. RINGKEY_TEST_RATE_DAYS sets another
 * number of days, for a change of a threshold. The documentation of attention items has the figures.
 */
import { expect, test } from 'vitest';
import { seededRandom } from '../../test/support/random.ts';
import { type SimulatedMerchant, simulateSweeps } from '../../test/support/simulated-charges.ts';
import { farBelowUsual, type MerchantRates } from './success-rate.ts';

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
