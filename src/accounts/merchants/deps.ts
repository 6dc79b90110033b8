/** The dependencies of creating and connecting merchants. */

import type { Database } from '../../db/pool.ts';
import type { Mode } from '../../domain/session.ts';
import type { TransferNumbers } from '../../domain/transfer-number.ts';
import type { Vault } from '../../lib/vault/vault.ts';
import type { Processor } from '../../payments/port/processor.ts';

/** @property linkBase the base of pay links; null or omitted if there is none */
export interface WalletDeps {
  linkBase?: (mode: Mode) => string | null;
}

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
