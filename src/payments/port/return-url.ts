/**
 * Where a processor's own page sends the payer back to: our page, with the charge that was confirmed there. A payer can have
 * given that charge up in another tab and be paying with another card, for which the answer must not count.
 */
import type { ChargeId } from '../../domain/ids.ts';

/** The field of the URL, and of the form that sends the answer. */
export const ANSWERED_CHARGE = 'charge';

export function returnUrlOf(pageUrl: string, chargeId: ChargeId): string {
  const url = new URL(pageUrl);
  url.searchParams.set(ANSWERED_CHARGE, chargeId);
  return url.href;
}
