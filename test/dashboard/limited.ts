/**
 * A dashboard with objects of two merchants of the demo account, the diner and the book shop, and users who are limited
 * to the book shop.
 */
import { changeMerchants } from '../../src/accounts/users/manage.ts';
import { SYSTEM } from '../../src/domain/audit.ts';
import { type MerchantId, newId, parseId } from '../../src/domain/ids.ts';
import type { MerchantLimit, Role } from '../../src/domain/user.ts';
import { DEMO_ACCOUNT, DEMO_DINER } from '../../src/local/standalone/demo-data.ts';
import { handleOf, testCard } from '../../src/payments/sandbox/cards.ts';
import { insertEndedCall } from '../support/ended-call.ts';
import { type ObjectIds, startFilledDashboard } from './addresses.ts';
import { liveCall } from './objects.ts';

export const BOOKS = merchantId('mer_demo_books');
/** A text in many objects of the diner, and of the account as a whole. */
export const MARK = 'of-the-diner-4711';
/** A text in objects of the book shop. */
export const OWN_MARK = 'of-the-books-4712';
/** Has called both. */
const CALLER = '+15550101234';

export function merchantId(text: string): MerchantId {
  const id = parseId('Merchant', text);
  if (id === null) throw new Error('no merchant');
  return id;
}

type Filled = Awaited<ReturnType<typeof startFilledDashboard>>;

interface LimitedDashboard extends Filled {
  /** Objects of the book shop, by the path before `:id`. {@link Filled.ids} has those of the diner. */
  own: ObjectIds;
  live: { diner: string; books: string };
  /** Signs in as a new user with this limit. */
  asLimited(role: Role, limit?: MerchantLimit): Promise<void>;
  /** Changes the limit of the signed-in user. */
  limit(limit: MerchantLimit): Promise<void>;
}

export async function startLimitedDashboard(): Promise<LimitedDashboard> {
  const dashboard = await startFilledDashboard();
  const own = await objectsOfBooks(dashboard);
  const live = {
    diner: await liveCall(dashboard.api, dashboard.ids['/checkouts'] ?? '', 'expiry'),
    books: await liveCall(dashboard.api, own['/checkouts'] ?? '', 'expiry'),
  };
  await markDiner(dashboard);
  const limit = async (merchants: MerchantLimit) => {
    const { id: userId } = dashboard.user.user;
    await changeMerchants(dashboard.api.database, SYSTEM, { accountId: DEMO_ACCOUNT, userId, merchants });
  };
  return {
    ...dashboard,
    own,
    live,
    limit,
    async asLimited(role, merchants = [BOOKS]) {
      await dashboard.as(role, DEMO_ACCOUNT);
      await limit(merchants);
    },
  };
}

async function objectsOfBooks({ api }: Filled): Promise<ObjectIds> {
  const { database } = api;
  const instrument = newId('Instrument');
  await database.query(
    `insert into instruments (id, account_id, mode, consumer_id, merchant_id, processor, processor_handle, brand,
                              last_four, expiry_month, expiry_year)
     values ($1, $2, 'test', 'con_demo_caller', $3, 'sandbox', $4, 'VISA', '0000', 12, 2049)`,
    [instrument, DEMO_ACCOUNT, BOOKS, handleOf(testCard('visa'))],
  );
  const { checkout_session_id: session } = await api.checkout({
    merchant_id: BOOKS,
    amount_cents: 7_100,
    caller_phone: CALLER,
    allow_repeat: true,
  });
  const paid = await api.post('/v1/charge', { checkout_session_id: session, instrument_id: instrument });
  if (paid.status !== 200) throw new Error(`charge answered ${paid.status}: ${paid.text}`);
  const charge = String(paid.body.charge_id);
  const refund = await api.post('/v1/refunds', { charge, amount_cents: 300 });
  await database.query('update checkout_sessions set order_id = $2 where id = $1', [session, OWN_MARK]);
  const { rows } = await database.query<{ id: string }>('select id from events where session_id = $1 limit 1', [
    session,
  ]);
  const sessionId = parseId('CheckoutSession', session);
  const said = (text: string) => ({ text, language: 'en-US', untilMs: 900 });
  const call = await insertEndedCall(
    database,
    { accountId: DEMO_ACCOUNT, mode: 'test', sessionId, merchantId: BOOKS },
    {
      timeline: [
        { step: 'invite', atMs: 0 },
        { step: 'ask merchant', atMs: 50 },
        { step: 'say choose_merchant', atMs: 60, said: said(`For ${MARK}, press 1. For the book shop, press 2.`) },
        { step: 'merchant chosen', atMs: 2_000 },
        { step: 'say greeting', atMs: 2_100, said: said(`Welcome, ${OWN_MARK}.`) },
        { step: 'caller hung up', atMs: 4_000 },
      ],
    },
  );
  return {
    '/charges': charge,
    '/checkouts': session,
    '/calls': call,
    '/refunds': String(refund.body.refund_id),
    '/events': rows[0]?.id ?? '',
    '/attention': await attentionItem(database, charge, BOOKS),
  };
}

async function attentionItem(database: Filled['api']['database'], subject: string, merchant: string): Promise<string> {
  const id = newId('AttentionItem');
  await database.query(
    `insert into attention_items (id, kind, account_id, mode, subject, merchant_id)
     values ($1, 'late_charge', $2, 'test', $3, $4)`,
    [id, DEMO_ACCOUNT, subject, merchant],
  );
  return id;
}

async function markDiner({ api: { database }, ids }: Filled): Promise<void> {
  const ofDiner = [MARK, DEMO_DINER];
  await database.query(
    'update checkout_sessions set order_id = $1, platform_call_id = $1, payer_name = $1 where merchant_id = $2',
    ofDiner,
  );
  await database.query('update merchants set business_name = $1 where id = $2', ofDiner);
  await database.query('update attention_items set merchant_id = $2, subject = $1 where merchant_id is null', ofDiner);
  await attentionItem(database, ids['/charges'] ?? '', DEMO_DINER);
  await database.query(
    `insert into texts (id, account_id, mode, session_id, kind, recipient, body, segments)
     select $1, account_id, mode, id, 'link', caller_phone, $2, 1 from checkout_sessions where id = $3`,
    [newId('Text'), MARK, ids['/checkouts']],
  );
  await database.query('update consumers set note = $1, note_written_at = now()', [MARK]);
  await database.query('update keys set name = $1', [MARK]);
  await database.query('update saved_views set name = $1', [MARK]);
  await database.query(`update webhook_endpoints set url = 'https://' || $1 || '.example.com/'`, [MARK]);
}
