/** Sets and removes the logo of a merchant. */
import { createHash } from 'node:crypto';
import { merchantNotFound, merchantOfOtherMode } from '../../contract/errors.ts';
import { deleteLogo, findLogo, type LogoRecord, writeLogo } from '../../db/merchants/logos.ts';
import { lockMerchantRecord } from '../../db/merchants/merchant-records.ts';
import type { Database, Sql } from '../../db/pool.ts';
import type { Scope } from '../../domain/account.ts';
import type { Actor, AuditChanges } from '../../domain/audit.ts';
import type { MerchantId } from '../../domain/ids.ts';
import { LOGO_TYPES, type LogoFile } from '../../domain/logo.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { auditMerchant } from '../merchants/audit.ts';
import { rewritePng } from './png.ts';
import { rewriteSvg } from './svg.ts';
import { MAX_LOGO_BYTES, wrongLogo } from './wrong-logo.ts';

/** An uploaded file. Nothing of it is trusted, its type included. */
export interface Upload {
  type: string;
  bytes: Buffer;
}

/** @throws ApiError `merchant_not_found`, `invalid_key`; `invalid_value` for a file that cannot be a logo */
export async function setLogo(
  database: Database,
  by: Actor,
  scope: Scope,
  id: MerchantId,
  upload: Upload,
): Promise<LogoRecord | null> {
  // The file is read only for a merchant that exists.
  await database.transaction((sql) => lockMerchant(sql, scope, id));
  const logo = await rewritten(upload);
  const hash = createHash('sha256').update(logo.bytes).digest('hex');
  return database.transaction(async (sql) => {
    const merchant = await lockMerchant(sql, scope, id);
    const before = await findLogo(sql, id);
    await writeLogo(sql, id, hash, logo);
    const after = await findLogo(sql, id);
    await auditMerchant(sql, by, 'merchant.logo_set', merchant, { from: audited(before), to: audited(after) });
    return after;
  });
}

/** @returns whether there was one @throws ApiError `merchant_not_found`, `invalid_key` */
export function removeLogo(database: Database, by: Actor, scope: Scope, id: MerchantId): Promise<boolean> {
  return database.transaction(async (sql) => {
    const merchant = await lockMerchant(sql, scope, id);
    const before = await findLogo(sql, id);
    if (before === null) return false;
    await deleteLogo(sql, id);
    await auditMerchant(sql, by, 'merchant.logo_removed', merchant, { from: audited(before) });
    return true;
  });
}

async function lockMerchant(sql: Sql, { accountId, mode }: Scope, id: MerchantId): Promise<Merchant> {
  const record = await lockMerchantRecord(sql, accountId, id);
  if (record === null) throw merchantNotFound(id);
  if (record.merchant.mode !== mode) throw merchantOfOtherMode(mode, id);
  return record.merchant;
}

async function rewritten({ type, bytes }: Upload): Promise<LogoFile> {
  if (bytes.length === 0) throw wrongLogo('The file is empty. Send a PNG or an SVG.');
  if (bytes.length > MAX_LOGO_BYTES) throw wrongLogo('A logo can have up to 50 KiB. Send a smaller one.');
  // Parameters such as `charset` do not matter: an SVG must be UTF-8.
  const known = LOGO_TYPES.find((each) => each === type.split(';')[0]?.trim().toLowerCase());
  if (known === undefined)
    throw wrongLogo(`The file must be a PNG or an SVG, with the Content-Type ${LOGO_TYPES.join(' or ')}.`);
  return known === 'image/png' ? rewritePng(bytes) : rewriteSvg(bytes);
}

/** Without the bytes. */
function audited(logo: LogoRecord | null): AuditChanges | null {
  if (logo === null) return null;
  const { type, hash, width, height, sizeBytes } = logo;
  return { content_type: type, sha256: hash, width, height, size_bytes: sizeBytes };
}
