/**
 * Transfer codes: a call to the payment line's number names its session with the code of `create_checkout`, if its
 * calling number finds none. Only an HMAC of a code is stored, and only open sessions have one.
 */
import type { AccountId, CheckoutSessionId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import type { NumberOwner } from '../../domain/transfer-number.ts';
import { ONLY_ACCOUNT } from '../keys/accounts.ts';
import { readFirst, type Sql } from '../pool.ts';

/** Whose sessions the codes of a number can name. */
export interface CodeOwner {
  accountId: AccountId;
  modes: readonly Mode[];
}

/** @returns null if no open session of the number's owner has a code, so that listening for one is in vain */
export async function findCodeOwner(sql: Sql, owner: NumberOwner): Promise<CodeOwner | null> {
  const { accountId, modes } =
    owner === 'only_account'
      ? { accountId: null, modes: ['live', 'test'] as const }
      : { accountId: owner.accountId, modes: [owner.mode] };
  const found = await readFirst<{ accountId: AccountId }>(sql, {
    name: 'find_code_owner',
    text: `select owner.id as "accountId" from (select coalesce($1, ${ONLY_ACCOUNT}) as id) owner
            where exists (select from checkout_sessions s
                           where s.account_id = owner.id and s.mode = any($2::mode[]) and s.status = 'open'
                             and s.transfer_code_hash is not null and s.expires_at > now())`,
    values: [accountId, modes],
  });
  return found === null ? null : { accountId: found.accountId, modes };
}

/**
 * Uses up a code. Of two calls with the same code, one gets the session.
 * @returns null if no open session has it
 */
export async function takeTransferCode(
  sql: Sql,
  { accountId, modes }: CodeOwner,
  codeHash: Buffer,
): Promise<CheckoutSessionId | null> {
  const taken = await readFirst<{ id: CheckoutSessionId }>(sql, {
    name: 'take_transfer_code',
    // Live first: a test session must not get the call of a live one.
    text: `update checkout_sessions set transfer_code_hash = null
            where transfer_code_hash is not null
              and id = (select id from checkout_sessions
                         where account_id = $1 and mode = any($2::mode[]) and transfer_code_hash = $3
                           and status = 'open' and expires_at > now()
                         order by mode = 'live' desc limit 1 for no key update)
           returning id`,
    values: [accountId, modes, codeHash],
  });
  return taken?.id ?? null;
}
