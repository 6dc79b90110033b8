/** Logos of merchants, in a table of their own: calls and lists read no bytes. */
import type { MerchantId } from '../../domain/ids.ts';
import type { LogoFile, LogoType, ShownLogo } from '../../domain/logo.ts';
import { jsonOf } from '../columns.ts';
import { readFirst, type Sql } from '../pool.ts';

export interface LogoRecord extends ShownLogo {
  sizeBytes: number;
  updatedAt: Date;
}

const RECORD = `select type, hash, width, height, size_bytes as "sizeBytes", updated_at as "updatedAt"
  from merchant_logos`;

/** SQL: the {@link ShownLogo} of the row of `merchants`, or null. */
export const SHOWN_LOGO = jsonOf(
  'select type, hash, width, height from merchant_logos where merchant_id = merchants.id',
);

export function findLogo(sql: Sql, id: MerchantId): Promise<LogoRecord | null> {
  return readFirst<LogoRecord>(sql, `${RECORD} where merchant_id = $1`, [id]);
}

/** Replaces the merchant's logo. */
export async function writeLogo(sql: Sql, id: MerchantId, hash: string, logo: LogoFile): Promise<void> {
  await sql.query(
    `insert into merchant_logos (merchant_id, type, hash, width, height, size_bytes, bytes)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (merchant_id) do update
       set type = excluded.type, hash = excluded.hash, width = excluded.width, height = excluded.height,
           size_bytes = excluded.size_bytes, bytes = excluded.bytes, updated_at = now()`,
    [id, logo.type, hash, logo.width, logo.height, logo.bytes.length, logo.bytes],
  );
}

export async function deleteLogo(sql: Sql, id: MerchantId): Promise<void> {
  await sql.query('delete from merchant_logos where merchant_id = $1', [id]);
}

/** Merchants can have the same logo. */
export async function readLogoBytes(sql: Sql, type: LogoType, hash: string): Promise<Buffer | null> {
  const text = 'select bytes from merchant_logos where hash = $1 and type = $2 limit 1';
  return (await readFirst<{ bytes: Buffer }>(sql, text, [hash, type]))?.bytes ?? null;
}
