/** What creating and connecting merchants needs. */

import type { Database } from '../../db/pool.ts';
import type { TransferNumbers } from '../../domain/transfer-number.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { Processor } from '../../payments/ports.ts';
import type { WalletDeps } from './wallets.ts';

export interface MerchantDeps extends WalletDeps {
  database: Database;
  processors: readonly Processor[];
  /** Null without encryption keys: secrets cannot be stored. */
  vault: Vault | null;
  /** Order sources of test merchants may be at private addresses. */
  privateTargets: boolean;
}

/** What settings are checked against, too. */
export interface MerchantSettingsDeps extends MerchantDeps {
  /** The payment line's own numbers, which can be no merchant's. */
  transferNumbers: TransferNumbers;
  /** Whether callers can be spoken to in this voice. */
  mayHaveVoice(voice: string): boolean;
}
