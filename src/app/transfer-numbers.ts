/** Warns at the start of transfer numbers whose calls find nobody. */
import { transferNumbersIn } from '../config/derived.ts';
import { findAccount, hasOneAccount } from '../db/keys/accounts.ts';
import type { Infrastructure } from './infrastructure.ts';

export async function warnOfTransferNumbers({
  config,
  database,
  log,
}: Pick<Infrastructure, 'config' | 'database' | 'log'>): Promise<void> {
  const { owned, unassigned } = transferNumbersIn(config);
  if (unassigned !== null && !(await hasOneAccount(database)))
    log.warn('RINGKEY_TRANSFER_NUMBER has no effect, because there are several accounts: use RINGKEY_TRANSFER_NUMBERS');
  for (const { accountId } of owned) {
    if ((await findAccount(database, accountId)) === null)
      log.warn({ accountId }, 'RINGKEY_TRANSFER_NUMBERS names an account that does not exist');
  }
}
