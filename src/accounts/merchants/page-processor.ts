/** Whether and how the pay page takes cards for a session's merchant. */

import type { CheckoutSession } from '../../domain/session.ts';
import type { ProcessorPage, Tokenization } from '../../payments/port/page.ts';
import type { Capabilities } from '../../payments/port/processor.ts';
import { verifiesOnPage } from '../../payments/shared/deps.ts';
import type { MerchantDeps } from './deps.ts';
import { type MerchantAtPage, processorFor, tokenizationFor } from './processor.ts';

/**
 * - `own_fields`: our own form, which works without JavaScript. Sandbox only.
 * - `token`: the processor's fields. Its script creates a token, so that no card number reaches us.
 */
type CardWay = { kind: 'own_fields' } | { kind: 'token'; page: ProcessorPage; tokenization: Tokenization };

export interface ProcessorAtPage {
  name: string;
  can: Capabilities;
  way: CardWay;
  /** Whether the processor can save cards and we can store their handles. */
  keepsCards: boolean;
}

/**
 * Why the page takes no card for a session, which includes saved cards.
 * - `no_fields`: the merchant's processor has no card fields on the page in this mode
 * - `saves_on_line`: the session only saves a card, and the page can save cards with payments only
 * - `no_public_key`: the merchant's credentials lack the part that the fields need, or cannot be decrypted
 */
export type PageBarrier = 'no_fields' | 'saves_on_line' | 'no_public_key';

/** @property credentials the encrypted credentials of the merchant's processor; null if none are stored */
export interface AtPage {
  merchant: MerchantAtPage | null;
  credentials: string | null;
  session: Pick<CheckoutSession, 'mode' | 'purpose'>;
}

type Deps = Pick<MerchantDeps, 'processors' | 'vault'>;

export function lookAtPage(deps: Deps, { merchant, credentials, session }: AtPage): ProcessorAtPage | PageBarrier {
  const { mode, purpose } = session;
  const processor = processorFor(deps.processors, mode, merchant?.processor ?? null);
  if (processor === null) return 'no_fields';
  const { name, can } = processor;
  const keepsCards = deps.vault !== null && can.savedCards && processor.wallet !== null;
  if (purpose === 'save_card' && !(keepsCards && verifiesOnPage(processor))) return 'saves_on_line';
  if (can.pageKeypad) return mode === 'test' ? { name, can, keepsCards, way: { kind: 'own_fields' } } : 'no_fields';
  const page = processor.page(mode);
  if (page === null || !can.pageTokens) return 'no_fields';
  const tokenization = tokenizationFor(deps, { merchant, credentials });
  return tokenization === null
    ? 'no_public_key'
    : { name, can, keepsCards, way: { kind: 'token', page, tokenization } };
}

/** @returns null if the page takes no card for the session, see {@link PageBarrier} */
export function processorAtPage(deps: Deps, at: AtPage): ProcessorAtPage | null {
  const found = lookAtPage(deps, at);
  return typeof found === 'string' ? null : found;
}
