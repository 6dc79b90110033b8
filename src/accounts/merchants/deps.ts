/** The dependencies of creating and connecting merchants. */

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
  /** Order sources of test merchants can be at private addresses. */
  privateTargets: boolean;
}

/** Further dependencies, to check settings. */
export interface MerchantSettingsDeps extends MerchantDeps {
  /** The payment line's own numbers, which no merchant can have. */
  transferNumbers: TransferNumbers;
  /** Whether the voice is available. */
  mayHaveVoice(voice: string): boolean;
}
