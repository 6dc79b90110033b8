/** Sessions that are opened or read together: each as if it were alone. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DEMO_ACCOUNT, seedDemo } from '../../../src/standalone/demo-data.ts';
import { newId, parseId } from '../../../src/domain/ids.ts';
import { createCheckoutReader } from '../../../src/db/sessions/checkout-reader.ts';
import { findCheckoutContext } from '../../../src/db/sessions/checkouts.ts';
import { createKnownMerchants } from '../../../src/db/merchants/known-merchants.ts';
import { createCheckoutOpener, type Opening } from '../../../src/db/sessions/open-checkout.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
  await seedDemo(db.database);
});
afterAll(() => db.close());

const CALLER = '+15550101234';
const scope = { accountId: DEMO_ACCOUNT, mode: 'test' } as const;

async function opening(merchant: string, session: Partial<Opening['session']> = {}): Promise<Opening> {
  const merchantId = parseId('Merchant', merchant);
  const parties = { merchantId, merchantNumber: null, callerPhone: CALLER };
  const { merchantById } = await findCheckoutContext(db.database, scope, parties);
  if (merchantById === null) throw new Error('no merchant');
  const given = {
    ...({ id: newId('CheckoutSession'), ...scope, merchantId, verdict: 'required', amountSource: 'request' } as const),
    ...({ amount: { amountCents: 4250, currency: 'USD' }, callerPhone: CALLER, orderId: null } as const),
    ...{ platformCallId: null, returnTo: null, successMessage: null, failureMessage: null, lineItems: [] },
    ...{ metadataJson: '{ "a":1}', transferToken: 'token', expiresAt: new Date(Date.now() + 60_000) },
  };
  return { session: { ...given, ...session }, version: merchantById.version, at: new Date() };
}

const idsOf = (openings: readonly Opening[]) => openings.map(({ session }) => session.id);

async function inTheRecord(openings: readonly Opening[]): Promise<boolean[]> {
  const { rows } = await db.database.query<{ id: string }>('select id from checkout_sessions where id = any($1)', [
    idsOf(openings),
  ]);
  return openings.map(({ session }) => rows.some(({ id }) => id === session.id));
}

test.each([1, 2, 3, 8, 11, 20])(
  '%i at once are all opened, each with the cards of its own caller and merchant',
  async (count) => {
    const open = createCheckoutOpener(db.database);
    const openings = await Promise.all(
      Array.from({ length: count }, (_, at) =>
        opening(at % 2 === 0 ? 'mer_demo_diner' : 'mer_demo_books', at % 3 === 2 ? { callerPhone: null } : {}),
      ),
    );
    const cards = await Promise.all(openings.map(open));
    expect(await inTheRecord(openings)).toEqual(openings.map(() => true));
    expect(cards.map((some) => some?.map(({ id }) => id))).toEqual(
      openings.map((_, at) => (at % 2 === 0 && at % 3 !== 2 ? ['card_demo_visa'] : [])),
    );
  },
);

test('one whose merchant has changed is not opened, the others are', async () => {
  const open = createCheckoutOpener(db.database);
  const stale = await opening('mer_demo_free');
  await db.database.query("update merchants set business_name = 'Changed' where id = 'mer_demo_free'");
  const openings = [await opening('mer_demo_diner'), stale, await opening('mer_demo_free')];
  expect((await Promise.all(openings.map(open))).map((cards) => cards === null)).toEqual([false, true, false]);
  expect(await inTheRecord(openings)).toEqual([true, false, true]);
});

test('one that the record refuses does not keep the others out', async () => {
  const open = createCheckoutOpener(db.database);
  const openings = [
    await opening('mer_demo_diner'),
    await opening('mer_demo_diner', { metadataJson: 'no JSON' }),
    await opening('mer_demo_diner'),
  ];
  const results = await Promise.allSettled(openings.map(open));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await inTheRecord(openings)).toEqual([true, false, true]);
});

test('what is read together is what its own account asked for', async () => {
  const open = createCheckoutOpener(db.database);
  const read = createCheckoutReader(db.database, createKnownMerchants());
  const openings = await Promise.all(
    [1, 2, 3].map((cents) => opening('mer_demo_diner', { amount: { amountCents: cents, currency: 'USD' } })),
  );
  await Promise.all(openings.map(open));
  const [one, two, three] = idsOf(openings);
  const at = new Date();
  const asked = [
    ...[one, two, three, one].map((id) => ({ accountId: DEMO_ACCOUNT, id, at })),
    { accountId: newId('Account'), id: two, at },
    { accountId: DEMO_ACCOUNT, id: newId('CheckoutSession'), at },
  ].map(({ id, ...others }) => ({ ...others, id: id ?? newId('CheckoutSession') }));
  const readings = await Promise.all(asked.map(read));
  expect(readings.map((reading) => reading?.session.amount.amountCents ?? null)).toEqual([1, 2, 3, 1, null, null]);
  expect(readings[0]?.metadataJson).toBe('{ "a":1}');
});

test('a merchant that is known reads as it is in the record now', async () => {
  const read = createCheckoutReader(db.database, createKnownMerchants());
  const [one, other] = [await opening('mer_demo_diner'), await opening('mer_demo_books')];
  await Promise.all([one, other].map(createCheckoutOpener(db.database)));
  const nameOf = async ({ session: { id } }: Opening) =>
    (await read({ accountId: DEMO_ACCOUNT, id, at: new Date() }))?.merchant?.businessName;
  expect([await nameOf(one), await nameOf(one), await nameOf(other)]).toEqual([
    'Demo Diner',
    'Demo Diner',
    'Demo Books',
  ]);
  await db.database.query("update merchants set business_name = 'Demo Bistro' where id = 'mer_demo_diner'");
  expect([await nameOf(one), await nameOf(other)]).toEqual(['Demo Bistro', 'Demo Books']);
  await db.database.query("update merchants set business_name = 'Demo Diner' where id = 'mer_demo_diner'");
  expect(await nameOf(one)).toBe('Demo Diner');
});
