/** Charges and pay links of the demo's caller over REST, for the contract tests. */
import { DEMO_ACCOUNT } from '../../src/local/standalone/demo-data.ts';
import { CALLER } from './fixtures.ts';
import type { TestApi } from './test-api.ts';

/** The caller's saved card. */
export const VISA = 'card_demo_visa';
export const DINER = { merchant_id: 'mer_demo_diner', amount_cents: 4250 };

/** @param api need not be started yet */
export function chargeCalls(api: TestApi) {
  async function cardOf(token: string): Promise<string> {
    const card = { merchant_id: 'mer_demo_diner', caller_phone: CALLER, token };
    return String((await api.post('/v1/cards', card)).body.instrument_id);
  }
  async function session(body: Record<string, unknown> = {}): Promise<string> {
    return (await api.checkout({ ...DINER, caller_phone: CALLER, ...body })).checkout_session_id;
  }
  const charge = (checkout_session_id: string, instrument_id: string, headers = {}) =>
    api.post('/v1/charge', { checkout_session_id, instrument_id }, headers);
  const sendLink = (checkout_session_id: string, headers = {}) =>
    api.post('/v1/send_link', { checkout_session_id }, headers);
  const expire = (id: string) =>
    api.database.query(`update checkout_sessions set expires_at = now() - interval '1 second' where id = $1`, [id]);

  async function save(token: string, merchant_id = 'mer_demo_diner'): Promise<string> {
    const { body } = await api.post('/v1/cards', { merchant_id, caller_phone: CALLER, token });
    return String(body.instrument_id);
  }

  /** The payments that the sandbox has recorded. */
  async function payments(sessionId: string): Promise<number | undefined> {
    const { rows } = await api.database.query<{ count: number }>(
      `select count(*)::integer as count from sandbox_payments p join charges c on c.id = p.reference
        where c.session_id = $1 and c.account_id = $2`,
      [sessionId, DEMO_ACCOUNT],
    );
    return rows[0]?.count;
  }

  return { cardOf, session, charge, sendLink, expire, save, payments };
}
