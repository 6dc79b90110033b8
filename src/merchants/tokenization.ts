/** What the pay page's card field needs of a merchant's processor. */
import type { Merchant } from '../domain/session.ts';
import type { Tokenization } from '../payments/ports.ts';
import type { MerchantDeps } from './deps.ts';
import { openCredentials, processorFor } from './processor.ts';

/**
 * @param reading the session's merchant, and the sealed credentials of its processor
 * @returns null when the processor needs none, or the credentials say too little or cannot be opened
 */
export function tokenizationFor(
  deps: Pick<MerchantDeps, 'processors' | 'vault'>,
  { merchant, credentials }: { merchant: Merchant | null; credentials: string | null },
): Tokenization | null {
  if (merchant === null) return null;
  const processor = processorFor(deps.processors, merchant.mode, merchant.processor);
  if (processor?.can.pageTokens !== true) return null;
  const opened = openCredentials(deps, { merchant, credentials });
  return opened === null ? null : processor.tokenization(merchant.mode, opened);
}
