/** Warnings at the start about settings that have no effect, or that are missing. */
import { unknownSettings } from '../config/config.ts';
import { hasSmsCarrier, transferNumbersIn } from '../config/derived.ts';
import { SETTINGS } from '../config/settings.ts';
import { findAccount, hasOneAccount } from '../db/keys/accounts.ts';
import { hasLiveMerchant } from '../db/merchants/merchants.ts';
import { nearestName } from '../http/api/validation.ts';
import type { Log } from '../lib/observability/log.ts';
import { linkBaseOf } from './addresses.ts';
import type { Infrastructure } from './infrastructure.ts';

/** Names the settings but never their values, which may be secrets. */
export function warnOfUnknownSettings(log: Log, environment?: NodeJS.ProcessEnv): void {
  for (const setting of unknownSettings(environment)) {
    log.warn({ setting, nearestSetting: nearestName(setting, SETTINGS) }, 'unknown setting: it has no effect');
  }
}

/** Warns about transfer numbers that no account can use. */
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

/** Warns if live merchants' callers get no texts or no pay links. */
export async function warnOfMissingCarrier({
  config,
  database,
  log,
}: Pick<Infrastructure, 'config' | 'database' | 'log'>): Promise<void> {
  const [hasCarrier, hasLinks] = [hasSmsCarrier(config), linkBaseOf(config)('live') !== null];
  if ((hasCarrier && hasLinks) || !(await hasLiveMerchant(database))) return;
  if (!hasCarrier) {
    log.warn('RINGKEY_SMS names no carrier: live mode sends no texts, and callers are promised none');
  }
  if (!hasLinks) {
    log.warn('RINGKEY_LINK_URL names no https address: live mode creates and offers no pay links');
  }
}
