/** Rules on payments that failed after they had succeeded: returned bank debits and failed captures. For the audit of charges. */

/** SQL: the charge `c` was paid: taken, held, held and then released, or taken and failed since. */
export const WAS_PAID = `(c.status in ('succeeded', 'authorized', 'voided', 'expired')
                          or c.returned_at is not null or c.capture_failed_at is not null)`;

/** SQL: the kind that a charge `c` has exactly one event or text of, if it failed later. */
const oneOf = (returned: string, notCaptured: string) => `
  case when c.returned_at is not null then array['${returned}']
       when c.capture_failed_at is not null then array['${notCaptured}'] else '{}'::text[] end`;

/** Queries that find violations, one row each. */
export const RETURN_RULES: Record<string, string> = {
  'a payment that failed later, and is not failed': `
    select c.id, c.status from charges c
     where c.status <> 'failed' and (c.returned_at is not null or c.capture_failed_at is not null)`,
  'a payment that failed later without exactly one event of it, or another charge with one': `
    select c.id, array_agg(e.type) from charges c left join events e on e.charge_id = c.id
       and e.type in ('charge.returned', 'charge.capture_failed')
     group by c.id
    having array_remove(array_agg(e.type), null) <> ${oneOf('charge.returned', 'charge.capture_failed')}`,
  'a returned debit that is still looked up': `
    select r.charge_id from debit_returns r join charges c on c.id = r.charge_id
     where c.status = 'failed' and r.check_at is not null`,
};

/** The same of texts, once everything is delivered. */
export const RETURN_TEXT_RULES: Record<string, string> = {
  'a payment that failed later without exactly one text of it, or another charge with one': `
    select c.id, array_agg(t.kind) from charges c left join texts t on t.charge_id = c.id
       and t.kind in ('debit_returned', 'not_collected') and t.status = 'sent'
     group by c.id
    having array_remove(array_agg(t.kind), null) <> ${oneOf('debit_returned', 'not_collected')}`,
};
