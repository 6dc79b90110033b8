import { expect, test } from 'vitest';
import { newId } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/session.ts';
import { createKnownMerchants } from './known-merchants.ts';

const accountId = newId('Account');
const merchant: Merchant = {
  ...{ id: newId('Merchant'), accountId, mode: 'test', slug: 'diner', businessName: 'Diner', currency: 'USD' },
  ...{ policy: { kind: 'always' }, language: 'en-US', voice: null, timeZone: 'UTC', cardSaving: 'never' },
  ...{ asksPostalCode: false, asksConfirmation: false, returnMode: null, acceptedBrands: [], processor: 'sandbox' },
};
const read = { merchant, version: '7' };

test('a merchant is known to its own account and mode alone', () => {
  const known = createKnownMerchants();
  known.keep(read);
  expect(known.find({ accountId, mode: 'test' }, merchant.id)).toEqual(read);
  expect(known.find({ accountId, mode: 'live' }, merchant.id)).toBeNull();
  expect(known.find({ accountId: newId('Account'), mode: 'test' }, merchant.id)).toBeNull();
  expect(known.find({ accountId, mode: 'test' }, newId('Merchant'))).toBeNull();
});

test('the row that was read last counts, and not for ever', () => {
  let now = 0;
  const known = createKnownMerchants(() => now);
  known.keep(read);
  known.keep({ ...read, version: '8' });
  expect(known.find({ accountId, mode: 'test' }, merchant.id)?.version).toBe('8');
  now = 3_600_000;
  expect(known.find({ accountId, mode: 'test' }, merchant.id)).toBeNull();
});

test('one without a processor is not kept', () => {
  const known = createKnownMerchants();
  known.keep({ ...read, merchant: { ...merchant, processor: null } });
  expect(known.find({ accountId, mode: 'test' }, merchant.id)).toBeNull();
});
