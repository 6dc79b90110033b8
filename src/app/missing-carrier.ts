/** Warns at the start where live merchants' callers get no texts. */
import { hasSmsCarrier } from '../config.ts';
import { hasLiveMerchant } from '../db/merchants/merchants.ts';
import type { Infrastructure } from './infrastructure.ts';

export async function warnOfMissingCarrier({
  config,
  database,
  log,
}: Pick<Infrastructure, 'config' | 'database' | 'log'>): Promise<void> {
  if (hasSmsCarrier(config) || !(await hasLiveMerchant(database))) return;
  log.warn('RINGKEY_SMS names no carrier: texts of live mode go to the log only, and callers are promised none');
}
