/** The table `user_invitations`: one-time links with which users set up their sign-in. */
import type { UserId } from '../../domain/ids.ts';
import { readFirst, readOne, type Sql } from '../pool.ts';

const INVITATION_HOURS = 24;

export interface Invitation {
  userId: UserId;
  /** Sealed; null before it is offered. */
  totpSecret: string | null;
  expiresAt: Date;
}

const INVITATION = 'user_id as "userId", totp_secret as "totpSecret", expires_at as "expiresAt"';

/** Replaces the user's earlier invitations. @returns its expiry time */
export async function insertInvitation(sql: Sql, userId: UserId, tokenHash: Buffer): Promise<Date> {
  await deleteInvitations(sql, userId);
  const { expiresAt } = await readOne<Invitation>(
    sql,
    `insert into user_invitations (token_hash, user_id, expires_at)
     values ($1, $2, now() + interval '${INVITATION_HOURS} hours') returning ${INVITATION}`,
    [tokenHash, userId],
  );
  return expiresAt;
}

/** Invalidates the user's links. */
export async function deleteInvitations(sql: Sql, userId: UserId): Promise<void> {
  await sql.query('delete from user_invitations where user_id = $1', [userId]);
}

export function findInvitation(sql: Sql, tokenHash: Buffer): Promise<Invitation | null> {
  return readFirst(sql, `select ${INVITATION} from user_invitations where token_hash = $1 and expires_at > now()`, [
    tokenHash,
  ]);
}

/** The offered secret; one that was set before stays. @returns null if the invitation is gone */
export async function keepTotpSecret(sql: Sql, tokenHash: Buffer, sealed: string): Promise<string | null> {
  const row = await readFirst<{ secret: string }>(
    sql,
    `update user_invitations set totp_secret = coalesce(totp_secret, $2)
      where token_hash = $1 and expires_at > now() returning totp_secret as secret`,
    [tokenHash, sealed],
  );
  return row?.secret ?? null;
}

/** Uses up the invitation. @returns null if it is gone */
export function takeInvitation(sql: Sql, tokenHash: Buffer): Promise<Invitation | null> {
  return readFirst(
    sql,
    `delete from user_invitations where token_hash = $1 and expires_at > now() returning ${INVITATION}`,
    [tokenHash],
  );
}
