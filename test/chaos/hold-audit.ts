/** Rules on holds: the charge, its capture or void, their event and the sandbox agree. For the audit of charges. */

/** Queries that find violations, one row each. Settle pending changes first. */
export const HOLD_RULES: Record<string, string> = {
  'a hold with two live captures or voids': `
    select charge_id from hold_changes where status in ('pending', 'succeeded') group by charge_id having count(*) > 1`,
  'a captured or voided hold without its change, or the reverse': `
    select c.id, c.status, h.kind from charges c
      left join hold_changes h on h.charge_id = c.id and h.status = 'succeeded'
     where case when c.status = 'voided' then h.kind is distinct from 'void'
                when c.status = 'succeeded' and c.capture = 'manual'
                  then h.kind is distinct from 'capture' or h.amount_cents <> c.captured_cents
                else h.id is not null end`,
  'a hold in another state than at the processor, or with another captured amount': `
    select c.id, c.status, p.status as ledger from charges c join sandbox_payments p on p.reference = c.id
     where c.capture = 'manual' and c.status in ('authorized', 'succeeded', 'voided')
       and (p.status <> c.status::text or p.captured_cents is distinct from c.captured_cents)`,
  'a captured, voided or expired hold without exactly one event of it': `
    select c.id, array_agg(e.type) from charges c left join events e on e.charge_id = c.id
       and e.type in ('charge.captured', 'charge.voided', 'charge.authorization_expired')
     where c.capture = 'manual' and c.status <> 'pending' group by c.id
    having array_remove(array_agg(e.type), null)
        <> case c.status when 'succeeded' then array['charge.captured'] when 'voided' then array['charge.voided']
                         when 'expired' then array['charge.authorization_expired'] else '{}'::text[] end`,
};
