/**
 * The table `processor_outcomes`: what a processor's signed notifications say, for a processor that has no other way to
 * tell it. Each merchant's secret signs for its own charges only, so an outcome is found through the charge's merchant.
 */
import { type ChargeId, type MerchantId, parseId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';
import type { NotifiedConnection } from './inbox.ts';

export interface NotifiedOutcome {
  /** In the processor's words, such as `AUTHORISATION`. */
  event: string;
  isSuccess: boolean;
  /** The account at the processor. */
  merchantAccount: string;
  /** Of the request: ours, and the processor's. */
  reference: string;
  processorReference: string;
  /** The processor's ID of the payment, if the request changed one. */
  paymentId: string | null;
  amountCents: number;
  currency: string;
  /** Why it failed: a code. */
  reason: string | null;
}

/** The same outcome again changes nothing. */
export async function insertOutcome(
  sql: Sql,
  { merchantId, processor }: Pick<NotifiedConnection, 'merchantId' | 'processor'>,
  outcome: NotifiedOutcome,
): Promise<void> {
  const { event, isSuccess, merchantAccount, reference, processorReference, paymentId } = outcome;
  const { amountCents, currency, reason } = outcome;
  const about = [merchantId, processor, event, isSuccess, merchantAccount, reference, processorReference, paymentId];
  await sql.query({
    name: 'insert_processor_outcome',
    text: `insert into processor_outcomes (merchant_id, processor, event, is_success, merchant_account, reference,
                                           processor_reference, payment_id, amount_cents, currency, reason)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
           on conflict do nothing`,
    values: [...about, amountCents, currency, reason],
  });
}

/** Of a payment and of what changed it. `references`: ours of the payment. */
const OUTCOMES = `
  with charge as (
    select merchant_id, processor, coalesce($3, processor_payment_id) as payment_id from charges where id = $1
  ), of_payment as (
    select o.* from charge join processor_outcomes o using (merchant_id, processor) where o.reference = any ($2)
  ), payments as (
    select processor_reference as id from of_payment union select payment_id from charge where payment_id is not null
  ), all_of_them as (
    select * from of_payment
    union
    select o.* from charge join processor_outcomes o using (merchant_id, processor)
     where o.payment_id in (select id from payments)
    union
    select o.* from charge join processor_outcomes o using (merchant_id, processor)
     where o.processor_reference in (select id from payments)
  )
  select event, is_success as "isSuccess", merchant_account as "merchantAccount", reference,
         processor_reference as "processorReference", payment_id as "paymentId",
         amount_cents::double precision as "amountCents", currency, reason
    from all_of_them order by id`;

/**
 * Outcomes of the charge's payment, and of its captures and refunds, oldest first.
 * @param references ours of the payment
 * @param paymentId the processor's, if it is known
 */
export async function listOutcomes(
  sql: Sql,
  chargeId: ChargeId,
  references: readonly string[],
  paymentId: string | null,
): Promise<NotifiedOutcome[]> {
  const values = [chargeId, references, paymentId];
  return (await sql.query<NotifiedOutcome>({ name: 'list_processor_outcomes', text: OUTCOMES, values })).rows;
}

/** The merchant's charge of a payment that was authorized before; null if it is not known. */
export async function findChargeOfPayment(
  sql: Sql,
  merchantId: MerchantId,
  processor: string,
  paymentId: string,
): Promise<ChargeId | null> {
  // Without the merchant, no index serves this.
  const text = `select c.id from processor_outcomes o
                  join charges c on c.merchant_id = o.merchant_id and c.processor = o.processor
                                and c.id = split_part(o.reference, '-', 1)
                 where o.merchant_id = $1 and o.processor = $2 and o.processor_reference = $3 limit 1`;
  const found = await readFirst<{ id: string }>(sql, text, [merchantId, processor, paymentId]);
  return found === null ? null : parseId('Charge', found.id);
}
