/** Warns at the start where live merchants' callers get no texts, or no pay links. */
import { hasSmsCarrier } from '../config/derived.ts';
import { hasLiveMerchant } from '../db/merchants/merchants.ts';
import type { Infrastructure } from './infrastructure.ts';
import { linkBaseOf } from './link-base.ts';

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
