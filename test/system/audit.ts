/** Compares the database with the sandbox's records, with what clients, payers and agents were told, and with webhooks. */
import type { Sql } from '../../src/db/pool.ts';
import { falseAnnouncements } from '../bench/scale/audit.ts';
import { findViolations } from '../chaos/audit-rules.ts';
import { auditCharges, auditNotifications } from '../chaos/charge-audit.ts';
import { auditRefunds } from '../chaos/refund-audit.ts';
import type { WebhookReceiver } from '../chaos/webhook-receiver.ts';
import type { CallStory } from './calls.ts';
import type { SystemRun } from './run.ts';

/** Queries that find violations, one row each. */
const RULES: Record<string, string> = {
  'a dispute at the processor that was not recorded, or in another state': `
    select s.dispute_id, d.status from sandbox_disputes s
      left join disputes d on d.processor_dispute_id = s.dispute_id
     where s.opens_at <= now() and (d.id is null or d.amount_cents <> s.amount_cents
        or d.status <> case when s.decided_at <= now() then s.outcome when s.is_answered then 'under_review' else 'needs_response' end)`,
  'a dispute without exactly one event of its creation': `
    select d.id, count(e.id) from disputes d left join events e on e.charge_id = d.charge_id and e.type = 'dispute.created'
     group by d.id having count(e.id) <> 1`,
  'a payout that was notified and not recorded, or with another amount': `
    select n.payout_id from processor_notifications n
      join sandbox_payments p on n.payout_id = 'sandbox_payout_' || p.payment_id and p.status = 'succeeded'
      left join payout_entries e on e.charge_id = p.reference
     where n.due_at is null
     group by n.payout_id, p.amount_cents, p.captured_cents
    having count(e.id) <> 1 or sum(e.gross_cents) <> coalesce(p.captured_cents, p.amount_cents)`,
  'a save-only checkout with a payment': `
    select c.id from charges c join checkout_sessions s on s.id = c.session_id
     where s.purpose = 'save_card' and c.amount_cents > 0`,
  'two charges of the merchant for one order': `
    select s.order_id from charges c join checkout_sessions s on s.id = c.session_id
     where s.order_id like 'fee-%' and c.status = 'succeeded' group by s.order_id having count(*) > 1`,
  'a call without an outcome': `select id from calls where answered_at is not null and outcome is null`,
};

export async function auditSystem(sql: Sql, run: SystemRun, webhooks: WebhookReceiver): Promise<string[]> {
  return [
    ...run.unexpected,
    ...webhooks.unexpected,
    ...(await auditCharges(sql, run.charges)),
    ...(await auditRefunds(sql, run.refunds)),
    ...(await auditNotifications(sql, webhooks.received)),
    ...(await findViolations(sql, RULES)),
    ...(await auditCalls(sql, run.calls)),
    ...(await auditReceipts(sql, run.receipts)),
  ];
}

/** Receipts that payers saw on the page without a payment. */
async function auditReceipts(sql: Sql, receipts: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `select id from unnest($1::text[]) shown (id)
      where not exists (select from charges c where c.session_id = shown.id and c.status in ('succeeded', 'authorized'))`,
    [[...receipts]],
  );
  return rows.map(({ id }) => `${id}: the page showed a receipt without a payment`);
}

interface SessionRow {
  sessionId: string;
  chargeId: string;
  amountCents: number;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** The headers have the session's amount, and what the charge differs by. */
function toldCents(headers: Record<string, string>): number {
  const { 'X-Ringkey-Amount': due, 'X-Ringkey-Tip': tip = '0', 'X-Ringkey-Remaining': remaining = '0' } = headers;
  return Number(due) + Number(tip) - Number(remaining);
}

async function auditCalls(sql: Sql, calls: readonly CallStory[]): Promise<string[]> {
  const { rows } = await sql.query<SessionRow>(
    `select c.session_id as "sessionId", c.id as "chargeId", c.amount_cents as "amountCents",
            extract(epoch from c.created_at)::double precision * 1000 as "createdAt"
       from charges c where c.status in ('succeeded', 'authorized', 'voided') and c.amount_cents > 0`,
  );
  const paid = new Map(rows.map((row) => [row.sessionId, row]));
  return calls.flatMap(({ script, sessionId, announced, headers }) => {
    // It saves a card, and says that nothing was charged.
    if (script === 'save-only') return [];
    const charge = paid.get(sessionId) ?? null;
    const wrong = falseAnnouncements(announced, charge);
    if (headers['X-Ringkey-Outcome'] === 'succeeded') {
      const told = `${headers['X-Ringkey-Session']} ${headers['X-Ringkey-Charge']} ${toldCents(headers)}`;
      const real = `${sessionId} ${charge?.chargeId} ${charge?.amountCents}`;
      if (told !== real) wrong.push(`the agent was told ${told}, not ${real}`);
    }
    return wrong.map((what) => `${script} ${sessionId}: ${what}`);
  });
}
