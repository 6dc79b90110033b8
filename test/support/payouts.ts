/** Payouts of charges at the sandbox, as its notifications bring them. */
import type { Database } from '../../src/db/pool.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import { payOutLater } from '../../src/payments/sandbox/payouts.ts';
import { handleNotifications } from './disputes.ts';

/** The processor pays out a succeeded charge, as if it was paid with the card `paid_out`. */
export async function payOut(database: Database, charge: string): Promise<void> {
  const { rows } = await database.query<{ paymentId: string }>(
    `update sandbox_payments set card_name = 'paid_out' where reference = $1 returning payment_id as "paymentId"`,
    [charge],
  );
  if (rows[0] === undefined) throw new Error('no such payment');
  const payment = { ...rows[0], cardName: 'paid_out', reference: charge as ChargeId };
  await payOutLater(database, { settleMs: 0 }, payment);
  await handleNotifications(database);
}
