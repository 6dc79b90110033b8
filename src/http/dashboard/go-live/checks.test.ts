import { expect, test } from 'vitest';
import { type GoLiveFacts, goLiveChecks, type MerchantFacts } from './checks.ts';

const NOW = new Date('2026-11-26T12:00:00Z');
const BAKERY: MerchantFacts = {
  merchant: { merchant_id: 'mer_1', business_name: 'Corner Bakery', numbers: ['+442071838750'] },
  status: { can_take_live_payments: true, requirements: [] },
  notifications: { can_notify: true, has_secret: true },
};
const READY: GoLiveFacts = {
  isHttps: true,
  waitsForStandby: true,
  account: { return_hosts: ['voice.bakery.io'], return_number_prefixes: [] },
  keys: [{ scope: 'agent', revoked_at: null, expires_at: null }],
  merchants: [BAKERY],
  endpoints: [{ url: 'https://hooks.bakery.io/ringkey', disabled: false }],
  hasDelivered: true,
  alertTargets: 1,
};

const openIn = (facts: Partial<GoLiveFacts>) =>
  goLiveChecks({ ...READY, ...facts }, NOW).filter(({ isDone }) => !isDone);
const idsOf = (facts: Partial<GoLiveFacts>) => openIn(facts).map(({ id }) => id);
const bakery = (change: Partial<MerchantFacts>) => ({ merchants: [{ ...BAKERY, ...change }] });

test('A service, an account and a merchant that have everything pass all checks', () => {
  expect(openIn({})).toEqual([]);
});

test('An empty account lacks everything but HTTPS and test data', () => {
  const empty = { keys: [], merchants: [], endpoints: [], hasDelivered: false, alertTargets: 0 };
  const account = { return_hosts: null, return_number_prefixes: [] };
  expect(idsOf({ ...empty, account, waitsForStandby: false })).toEqual([
    'standby',
    'keys',
    'merchants',
    'keypad',
    'notifications',
    'returns',
    'webhook',
    'alerts',
  ]);
});

test.each([
  ['only a key with the scope full', [{ scope: 'full', revoked_at: null, expires_at: null }]],
  ['a revoked key', [{ scope: 'agent', revoked_at: '2026-11-01T00:00:00Z', expires_at: null }]],
  ['an expired key', [{ scope: 'agent', revoked_at: null, expires_at: '2026-11-26T11:59:59Z' }]],
] as const)('An account with %s needs an agent key', (_, keys) => {
  expect(idsOf({ keys })).toEqual(['keys']);
});

test('A key that expires later counts', () => {
  expect(idsOf({ keys: [{ scope: 'agent', revoked_at: null, expires_at: '2026-11-27T00:00:00Z' }] })).toEqual([]);
});

test('A merchant without MOTO payments is named with what to do', () => {
  const requirements = [{ code: 'moto_disabled', message: 'Ask the processor.' }] as const;
  const [check, ...others] = openIn(
    bakery({ status: { can_take_live_payments: true, requirements: [...requirements] } }),
  );
  expect(check).toMatchObject({ id: 'keypad', todo: ['Corner Bakery: Ask the processor.'] });
  expect(others).toEqual([]);
});

test('A merchant that cannot be paid is named, and its keypad is not known to work', () => {
  const requirements = [{ code: 'processor_missing', message: 'Connect one.' }] as const;
  const status = { can_take_live_payments: false, requirements: [...requirements] };
  expect(openIn(bakery({ status })).map(({ id, todo }) => [id, todo[0]])).toEqual([
    ['merchants', 'Corner Bakery: Connect one.'],
    ['keypad', 'Connect a live merchant’s processor. Ringkey then checks it.'],
  ]);
});

test('Only processors that can notify need a secret', () => {
  expect(openIn(bakery({ notifications: { can_notify: true, has_secret: false } }))).toMatchObject([
    { id: 'notifications', page: ['/setup/merchants/mer_1/notifications', 'Notifications'] },
  ]);
  expect(idsOf(bakery({ notifications: { can_notify: false, has_secret: false } }))).toEqual([]);
});

test('A list of hosts that allows every host does not pass', () => {
  expect(idsOf({ account: { return_hosts: ['*'], return_number_prefixes: [] } })).toEqual(['returns']);
  expect(idsOf({ account: { return_hosts: [], return_number_prefixes: ['+44'] } })).toEqual([]);
});

test('A disabled endpoint does not count, even if it acknowledged events before', () => {
  expect(idsOf({ endpoints: [{ url: 'https://hooks.bakery.io', disabled: true }] })).toEqual(['webhook']);
});

test.each([
  ['an example number', bakery({ merchant: { ...BAKERY.merchant, numbers: ['+12125550100'] } })],
  ['an example host', { endpoints: [{ url: 'https://agents.example.com/ringkey', disabled: false }] }],
])('Live mode has test data: %s', (_, facts) => {
  expect(idsOf(facts)).toEqual(['test_data']);
});
