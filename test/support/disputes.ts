/** Disputes of charges at the sandbox, as its notifications bring them. */
import type { Database } from '../../src/db/pool.ts';
import type { ChargeId } from '../../src/domain/ids.ts';
import type { Money } from '../../src/domain/money.ts';
import { createLog } from '../../src/lib/observability/log.ts';
import { handleDueNotifications } from '../../src/payments/notifications/handle-notifications.ts';
import { openSandboxDispute } from '../../src/payments/sandbox/disputes.ts';
import { createSandbox } from '../../src/payments/sandbox/index.ts';

/** Longer than any test. */
const LATER_MS = 3_600_000;
const NEVER = new AbortController().signal;
const log = createLog({ level: 'fatal', instance: 'test' });

/** Handles all notifications that are due. */
export async function handleNotifications(database: Database): Promise<void> {
  const deps = { database, processors: [createSandbox(database)], log };
  while ((await handleDueNotifications(deps, NEVER)).more);
}

/** The bank disputes a succeeded charge. @param card `disputed`, or `dispute_won`, which is under review */
export async function openDispute(database: Database, charge: string, card = 'disputed'): Promise<void> {
  const text = `select payment_id as "paymentId", json_build_object('amountCents', amount_cents, 'currency', currency) as amount
                  from sandbox_payments where reference = $1`;
  const { rows } = await database.query<{ paymentId: string; amount: Money }>(text, [charge]);
  if (rows[0] === undefined) throw new Error('no such payment');
  const payment = { ...rows[0], reference: charge as ChargeId, cardName: card };
  await openSandboxDispute(database, { settleMs: LATER_MS }, payment);
  await tellOfDispute(database, charge, 'opens_at');
}

/** The bank decides about a charge: lost, or won if it was under review. */
export const decideDispute = (database: Database, charge: string) => tellOfDispute(database, charge, 'decided_at');

/** The time of this state comes, and its notification. */
export async function tellOfDispute(database: Database, charge: string, at: 'opens_at' | 'decided_at'): Promise<void> {
  await database.query(
    `with dispute as (
       update sandbox_disputes set ${at} = now()
        where payment_id = (select payment_id from sandbox_payments where reference = $1) returning dispute_id
     )
     update processor_notifications n set due_at = now() from dispute
      where n.dispute_id = dispute.dispute_id and n.type = $2 and n.due_at is not null`,
    [charge, at === 'opens_at' ? 'dispute.created' : 'dispute.decided'],
  );
  await handleNotifications(database);
}
