/**
 * Merchants that this process has read, each with the version of its row. Nothing may be decided by them alone: whoever
 * uses one has the statement at hand compare or tell the version, and reads the row anew when it has changed. So a change
 * counts at once, everywhere, and most statements carry no merchant.
 */
import type { Scope } from '../../domain/account.ts';
import type { MerchantId } from '../../domain/ids.ts';
import type { Merchant } from '../../domain/session.ts';

/** A row as it was read. */
export interface ReadMerchant {
  merchant: Merchant;
  /** `xmin` of the row: the transaction that wrote it. */
  version: string;
}

export interface KnownMerchants {
  find(scope: Scope, id: MerchantId): ReadMerchant | null;
  /**
   * The row that was read last counts. A merchant that is not connected to a processor is about to be, and is not kept:
   * what we know must not refuse anything.
   */
  keep(read: ReadMerchant): void;
}

const MAX_KNOWN = 10_000;
/** Transaction ids come round after four billion: far sooner than that a row is read anew. */
const KNOWN_MS = 10 * 60_000;

export function createKnownMerchants(now: () => number = () => performance.now()): KnownMerchants {
  const known = new Map<MerchantId, { read: ReadMerchant; until: number }>();
  return {
    find({ accountId, mode }, id) {
      const entry = known.get(id);
      if (entry === undefined || now() >= entry.until) return null;
      const { merchant } = entry.read;
      return merchant.accountId === accountId && merchant.mode === mode ? entry.read : null;
    },
    keep(read) {
      if (read.merchant.processor === null) return;
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(read.merchant.id, { read, until: now() + KNOWN_MS });
    },
  };
}
