/** Notifications of the sandbox processor about a charge, what became of the charge there, and how they are handled. */
import { PAYMENT_FINDERS } from '../../../src/db/attention/payments.ts';
import { insertNotification } from '../../../src/db/processor-notifications/inbox.ts';
import { type ChargeId, newId } from '../../../src/domain/ids.ts';
import { handleDueNotifications } from '../../../src/payments/notifications/handle-notifications.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { TestDatabase } from '../../support/database.ts';
import type { TestMerchant } from '../../support/test-merchants.ts';
import { createRecordingLog, FAST_SANDBOX } from './test-payments.ts';
import { createPaidCharge } from './test-refunds.ts';

const NEVER = new AbortController().signal;

interface Elsewhere {
  status?: 'succeeded' | 'failed';
  reference?: string;
  settlesInMs?: number;
}

/** What a test of notifications does. */
export function createTestNotifications(db: TestDatabase, merchant: TestMerchant) {
  const sandbox = () => createSandbox(db.database, FAST_SANDBOX);
  const paid = () => createPaidCharge(db.database, merchant);

  async function notify(chargeId: ChargeId, of: TestMerchant = merchant, type = 'refund.updated'): Promise<string> {
    const id = newId('Event');
    const subject = { paymentId: null, chargeId, disputeId: null };
    await insertNotification(db.database, { ...of, processor: 'sandbox', secrets: [] }, { id, type, subject });
    return id;
  }

  /** Handles what is due, once. @returns the lines of the log */
  async function handle(processor: Processor = sandbox()): Promise<string> {
    const log = createRecordingLog();
    await handleDueNotifications({ database: db.database, processors: [processor], log }, NEVER);
    return log.lines.join('\n');
  }

  /** Notifies that something became of the charge, and handles it. */
  async function told(chargeId: ChargeId, processor?: Processor): Promise<string> {
    await notify(chargeId);
    return handle(processor);
  }

  const retry = () => db.database.query('update processor_notifications set due_at = now() where due_at is not null');

  async function isDone(eventId: string): Promise<boolean | undefined> {
    const text = 'select due_at is null as "isDone" from processor_notifications where event_id = $1';
    return (await db.database.query<{ isDone: boolean }>(text, [eventId])).rows[0]?.isDone;
  }

  /** A refund in the sandbox's own dashboard. @returns its ID there */
  async function refundElsewhere(chargeId: ChargeId, cents: number, more: Elsewhere = {}): Promise<string> {
    const { status = 'succeeded', reference = `dashboard ${newId('Request')}`, settlesInMs = 0 } = more;
    const id = `sandbox_refund_${newId('Request')}`;
    await db.database.query(
      `insert into sandbox_refunds (reference, refund_id, payment_id, amount_cents, status, settles_at)
       select $1, $2, payment_id, $4, $5, clock_timestamp() + $6::integer * interval '1 millisecond'
         from sandbox_payments where reference = $3`,
      [reference, id, chargeId, cents, status, settlesInMs],
    );
    return id;
  }

  const failThere = (id: string) =>
    db.database.query(`update sandbox_refunds set status = 'failed' where refund_id = $1 or reference = $1`, [id]);

  const rowsOf = async (chargeId: ChargeId) =>
    (
      await db.database.query(
        `select id, origin, status::text, amount_cents, processor_refund_id, failure from refunds where charge_id = $1
          order by created_at, id`,
        [chargeId],
      )
    ).rows;

  async function attentionKinds(subject: string): Promise<string[]> {
    const scope = { accountId: merchant.accountId, mode: merchant.mode };
    const found = await Promise.all(PAYMENT_FINDERS.map((finder) => finder.find(db.database, scope)));
    return found
      .flat()
      .filter((item) => item.subject === subject)
      .map(({ kind }) => kind);
  }

  return { sandbox, paid, notify, handle, told, retry, isDone, refundElsewhere, failThere, rowsOf, attentionKinds };
}
