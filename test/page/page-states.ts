/** Every state of the pay page, reached with real sessions, charges and payments. */

import type { CallStage } from '../../src/domain/call.ts';
import { newId } from '../../src/domain/ids.ts';
import type { PageKind } from '../../src/http/pay-page/state.ts';
import type { TestApi } from '../contract/test-api.ts';
import {
  insertCharge,
  openPageOf,
  openTestPage,
  payOnPage,
  type TestPage,
  type TestPageOptions,
  VISA,
} from './pages.ts';
import { SAVE_ONLY } from './save-only.ts';

interface StateToShow {
  name: string;
  /** `data-state` of the page. */
  state: PageKind | 'not_found';
  /** Creates the state. @returns the path of the page, with its query except the language */
  reach(api: TestApi): Promise<string>;
}

const WHOLE_ORDER: TestPageOptions = {
  merchant: { businessName: 'Wirtshaus Zur Alten Donaudampfschifffahrtsgesellschaft', asksPostalCode: true },
  session: {
    lineItems: [
      { name: 'Margherita pizza with buffalo mozzarella', quantity: 2, amountCents: 1_625 },
      { name: 'Lemonade', quantity: 1, amountCents: 1_000 },
    ],
  },
};

const DECLINING = { number: '4000000000000002' };
const UNKNOWN = { number: '4000000000006702' };
const CHALLENGED = { number: '4000000000003220' };
const WRONG_CODE = { number: '4000000000000101', security_code: '999' };

const paidWith = async (api: TestApi, page: TestPage, card: Partial<typeof VISA>) => {
  await payOnPage(api.url + page.path, { ...VISA, ...card });
  return page.path;
};

const open = (api: TestApi, options?: TestPageOptions) => openTestPage(api.database, options);

/** Opens a page of a session with this charge. */
const withCharge = (status: string, source: string) => async (api: TestApi) => {
  const page = await open(api);
  await insertCharge(api.database, page, { status, source });
  return page.path;
};

/** Opens a page of another session for an order that was paid with this card. */
const afterOtherSession = (card: Partial<typeof VISA>) => async (api: TestApi) => {
  const page = await open(api);
  const other = await openPageOf(api.database, page.merchant);
  await paidWith(api, page, card);
  return other.path;
};

/** More items than a phone shows at once. */
const LONG_BILL: TestPageOptions = {
  session: {
    lineItems: Array.from({ length: 9 }, (_, at) => ({ name: `Dish number ${at + 1}`, quantity: 1, amountCents: 500 })),
  },
};

async function onCall(api: TestApi, stage: CallStage = 'waiting'): Promise<string> {
  const page = await open(api);
  await api.database.query(
    `insert into calls (id, account_id, mode, session_id, instance, lease_id, sip_call_id, source_address, sip_dialogs, stage)
     values ($1, $2, 'test', $3, 'test', 1, 'x', '127.0.0.1', '{}', $4)`,
    [newId('Call'), page.merchant.accountId, page.sessionId, stage],
  );
  return page.path;
}

/** The payer did not confirm in time, and the resolver has not settled the charge yet. */
async function notConfirmed(api: TestApi): Promise<string> {
  const page = await open(api);
  await paidWith(api, page, CHALLENGED);
  await api.database.query('update charges set action_deadline = now() where session_id = $1', [page.sessionId]);
  return page.path;
}

async function declinedTooOften(api: TestApi): Promise<string> {
  const page = await open(api);
  for (let attempt = 0; attempt < 5; attempt += 1) await paidWith(api, page, DECLINING);
  return page.path;
}

async function refunded(api: TestApi): Promise<string> {
  const page = await open(api);
  await paidWith(api, page, VISA);
  await api.database.query('update charges set refunded_cents = 1000 where session_id = $1', [page.sessionId]);
  return page.path;
}

export const STATES: readonly StateToShow[] = [
  { name: 'ready', state: 'ready', reach: async (api) => (await open(api)).path },
  { name: 'ready-whole-order', state: 'ready', reach: async (api) => (await open(api, WHOLE_ORDER)).path },
  {
    name: 'ready-wrong-fields',
    state: 'ready',
    reach: async (api) =>
      `${(await open(api, WHOLE_ORDER)).path}?fix=number_wrong,expiry_past,security_code_wrong,postal_code_missing`,
  },
  { name: 'ready-on-call', state: 'ready', reach: (api) => onCall(api) },
  { name: 'ready-paying-by-phone', state: 'ready', reach: (api) => onCall(api, 'paying') },
  { name: 'ready-long-bill', state: 'ready', reach: async (api) => (await open(api, LONG_BILL)).path },
  {
    name: 'ready-tips',
    state: 'ready',
    reach: async (api) => `${(await open(api, { merchant: { tipPercentages: [15, 18, 20] } })).path}?tip=18`,
  },
  {
    name: 'ready-part-wrong',
    state: 'ready',
    reach: async (api) => `${(await open(api, { merchant: { partialMinimumCents: 500 } })).path}?part=1`,
  },
  {
    name: 'ready-yen',
    state: 'ready',
    reach: async (api) => (await open(api, { session: { amount: { amountCents: 4_250, currency: 'JPY' } } })).path,
  },
  { name: 'ready-save-only', state: 'ready', reach: async (api) => (await open(api, { session: SAVE_ONLY })).path },
  {
    name: 'ready-wrong-consent',
    state: 'ready',
    reach: async (api) => `${(await open(api, { session: SAVE_ONLY })).path}?fix=consent_missing`,
  },
  {
    name: 'paid-save-only',
    state: 'paid',
    reach: async (api) => {
      const page = await open(api, { session: SAVE_ONLY });
      await payOnPage(api.url + page.path, { ...VISA, keep_card: '1' });
      return page.path;
    },
  },
  { name: 'working', state: 'working', reach: withCharge('pending', 'page') },
  { name: 'action', state: 'action', reach: async (api) => paidWith(api, await open(api), CHALLENGED) },
  { name: 'paid', state: 'paid', reach: async (api) => paidWith(api, await open(api), VISA) },
  {
    name: 'paid-with-way-back',
    state: 'paid',
    reach: async (api) => paidWith(api, await open(api, { session: { returnTo: `${api.url}/docs` } }), VISA),
  },
  { name: 'paid-refunded', state: 'paid', reach: refunded },
  { name: 'declined', state: 'declined', reach: async (api) => paidWith(api, await open(api), DECLINING) },
  { name: 'declined-field', state: 'declined', reach: async (api) => paidWith(api, await open(api), WRONG_CODE) },
  { name: 'ready-declined-on-phone', state: 'ready', reach: withCharge('failed', 'phone') },
  { name: 'no_more_attempts', state: 'no_more_attempts', reach: declinedTooOften },
  { name: 'pending', state: 'pending', reach: async (api) => paidWith(api, await open(api), UNKNOWN) },
  { name: 'pending-late', state: 'pending', reach: notConfirmed },
  { name: 'pending-order', state: 'pending', reach: afterOtherSession(UNKNOWN) },
  { name: 'on_phone', state: 'on_phone', reach: withCharge('pending', 'phone') },
  { name: 'already_paid', state: 'already_paid', reach: withCharge('succeeded', 'phone') },
  {
    name: 'already_paid-other-window',
    state: 'already_paid',
    reach: async (api) => `${await withCharge('succeeded', 'phone')(api)}?notice=other_attempt`,
  },
  { name: 'already_paid-order', state: 'already_paid', reach: afterOtherSession(VISA) },
  { name: 'expired', state: 'expired', reach: async (api) => (await open(api, { session: { ttlSeconds: -1 } })).path },
  {
    name: 'nothing_to_pay',
    state: 'nothing_to_pay',
    reach: async (api) => (await open(api, { session: { verdict: 'none' } })).path,
  },
  { name: 'gone', state: 'gone', reach: async (api) => (await open(api, { merchant: { processor: null } })).path },
  { name: 'not_found', state: 'not_found', reach: async () => '/p/abcdefghijkm' },
];
