/** Whether to advise a pay link: its page may take no card of the merchant's customers. */
import { lookAtPage } from '../accounts/merchants/page-processor.ts';
import { findCredentials } from '../db/merchants/merchant-processors.ts';
import type { Sql } from '../db/pool.ts';
import type { Merchant } from '../domain/merchant.ts';
import type { Purpose } from '../domain/session.ts';
import type { Vault } from '../lib/vault/vault.ts';
import type { Processor } from '../payments/port/processor.ts';

/** Whether the pay page takes a card for a session of the merchant. */
export type TakesOnPage = (merchant: Pick<Merchant, 'id' | 'mode' | 'processor'>, purpose: Purpose) => Promise<boolean>;

interface PageDeps {
  database: Sql;
  processors: readonly Processor[];
  vault: Vault | null;
}

export function takesOnPageWith(deps: PageDeps): TakesOnPage {
  return async (merchant, purpose) => {
    const { id, mode, processor } = merchant;
    const look = (credentials: string | null) =>
      lookAtPage(deps, { merchant, credentials, session: { mode, purpose } });
    // Most processors need no credentials to answer this.
    const found = look(null);
    if (found !== 'no_public_key') return typeof found !== 'string';
    const credentials = processor === null ? null : await findCredentials(deps.database, id, processor);
    return typeof look(credentials) !== 'string';
  };
}
