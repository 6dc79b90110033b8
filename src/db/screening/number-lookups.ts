/** Rows of `number_lookups`: what a vendor said of a caller's number. By account, so that none learns or erases another's. */
import type { Scope } from '../../domain/account.ts';
import type { E164 } from '../../domain/phone-number.ts';
import type { LookupFailure, NumberFacts } from '../../domain/screening.ts';
import type { Sql } from '../pool.ts';

export interface LookedUp extends Scope {
  phone: E164;
  /** The look-up's name. */
  adapter: string;
}

/** Takes the place of whatever is kept of the number. */
export async function saveLookup(sql: Sql, number: LookedUp, facts: NumberFacts): Promise<void> {
  await sql.query({
    name: 'save_lookup',
    text: `
      insert into number_lookups (account_id, mode, phone, adapter, is_answered, port_check, line_type, carrier, notes, failure,
                                  checked_at)
      values ($1, $2, $3, $4, true, $5, $6, $7, $8, null, now())
      on conflict (account_id, mode, phone) do update
         set adapter = excluded.adapter, is_answered = true, port_check = excluded.port_check, line_type = excluded.line_type,
             carrier = excluded.carrier, notes = excluded.notes, failure = null, checked_at = excluded.checked_at`,
    values: [...keyOf(number), facts.portCheck, facts.lineType, facts.carrier, facts.notes],
  });
}

/** Beside an answer that is still kept: open sessions go on by that. */
export async function saveLookupFailure(sql: Sql, number: LookedUp, failure: LookupFailure): Promise<void> {
  await sql.query({
    name: 'save_lookup_failure',
    text: `
      insert into number_lookups as kept (account_id, mode, phone, adapter, is_answered, port_check, line_type, carrier, notes,
                                          failure, checked_at)
      values ($1, $2, $3, $4, false, 'unknown', 'unknown', null, '{}', $5, now())
      on conflict (account_id, mode, phone) do update
         set failure = excluded.failure,
             checked_at = case when kept.is_answered then kept.checked_at else excluded.checked_at end`,
    values: [...keyOf(number), failure],
  });
}

const keyOf = ({ accountId, mode, phone, adapter }: LookedUp) => [accountId, mode, phone, adapter];
