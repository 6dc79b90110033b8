/**
 * Texts due because a call dropped unpaid. A session has one row from its first such call on, written when the call
 * ends.
 */
import type { Scope } from '../../domain/account.ts';
import type { CheckoutSessionId } from '../../domain/ids.ts';
import { readFirst, type Sql } from '../pool.ts';

/** The caller may call again first. */
const DUE_AFTER_SECONDS = 20;

/**
 * SQL: makes a text due for dropped calls whose session has had none yet.
 * @param calls a query of `session_id`
 * @param afterSeconds from now
 */
export const armTextAfterDrop = (calls: string, afterSeconds = DUE_AFTER_SECONDS) => `
  insert into texts_after_drop as t (session_id, broke_off_at, due_at)
  select session_id, now(), now() + interval '${afterSeconds} seconds' from (${calls}) broken_off
  on conflict (session_id) do update set broke_off_at = excluded.broke_off_at, due_at = excluded.due_at
   where t.due_at is not null`;

/** A session whose text is due. */
export interface DueText extends Scope {
  sessionId: CheckoutSessionId;
  /**
   * The merchant still enables these texts, and the caller has not called again, has no newer checkout with the
   * merchant (which can be for the same thing), and was not returned to the agent.
   */
  isWanted: boolean;
}

/** SQL: a later checkout of the caller of session `s` that still has to be paid. */
const NEWER = `
  select from checkout_sessions newer
   where newer.account_id = s.account_id and newer.mode = s.mode and newer.merchant_id = s.merchant_id
     and newer.created_at > s.created_at and newer.verdict <> 'none'
     and (newer.caller_phone = coalesce(s.caller_phone, s.lent_phone)
       or newer.lent_phone = coalesce(s.caller_phone, s.lent_phone))`;

const CLAIM = `
  select d.session_id as "sessionId", s.account_id as "accountId", s.mode,
         coalesce(m.text_after_drop, false) and not exists (
           select from calls c where c.session_id = d.session_id
              and (c.ended_at is null or (c.started_at > d.broke_off_at and c.answered_at is not null)
                or (c.ended_at >= d.broke_off_at and c.return_mode is not null)))
           and not exists (${NEWER}) as "isWanted"
    from texts_after_drop d
    join checkout_sessions s on s.id = d.session_id
    left join merchants m on m.id = s.merchant_id
   where d.due_at <= now() order by d.due_at limit 1
     for update of d skip locked`;

/**
 * Claims the text that has been due longest, for one worker, until the transaction ends.
 * @returns null if none is due
 */
export function claimDueText(sql: Sql): Promise<DueText | null> {
  return readFirst(sql, { name: 'claim_text_after_drop', text: CLAIM, values: [] });
}

/** Call it in the transaction of the claim. @param isTexted false: another dropped call can make a text due again */
export async function settleDueText(sql: Sql, sessionId: CheckoutSessionId, isTexted: boolean): Promise<void> {
  const texted = 'update texts_after_drop set due_at = null where session_id = $1';
  await sql.query(isTexted ? texted : 'delete from texts_after_drop where session_id = $1', [sessionId]);
}

/** SQL: when the next text is due. */
export const TEXTS_AFTER_DROP_DUE = 'select min(due_at) from texts_after_drop where due_at is not null';
