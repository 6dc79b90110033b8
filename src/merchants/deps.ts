/** What creating and connecting merchants needs. */
import { ApiError } from '../contract/errors.ts';
import type { Processor } from '../payments/ports.ts';
import type { Database } from '../db/pool.ts';
import type { Vault } from '../vault/vault.ts';

export interface MerchantDeps {
  database: Database;
  processors: readonly Processor[];
  /** Null without encryption keys: secrets cannot be stored. */
  vault: Vault | null;
  /** Order sources of test merchants may be at private addresses. */
  privateTargets: boolean;
}

/** @throws ApiError `not_configured` */
export function requireVault(vault: Vault | null): Vault {
  if (vault !== null) return vault;
  throw new ApiError('not_configured', { message: 'Secrets can be kept with RINGKEY_ENCRYPTION_KEYS only.' });
}
