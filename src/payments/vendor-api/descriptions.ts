/** Our IDs in a text of a vendor's payment or refund: for vendors with one field for the merchant's reference. */
import type { ChargeSource } from '../../domain/charge.ts';
import { type ChargeId, type CheckoutSessionId, parseId, type RefundId } from '../../domain/ids.ts';
import type { Channel } from '../port/charges.ts';

/** Of our charge. */
export interface Described {
  chargeId: ChargeId;
  sessionId: CheckoutSessionId;
  source: ChargeSource;
  currency: string;
}

const SOURCES: readonly string[] = ['phone', 'page', 'saved_card'] satisfies ChargeSource[];

export const SOURCE_OF: Readonly<Record<Channel, ChargeSource>> = {
  phone: 'phone',
  page: 'page',
  agent: 'saved_card',
  merchant: 'saved_card',
};

/** The shortest limit of a vendor for the text. */
const DESCRIPTION_LENGTH = 255;

/** Our whole IDs and the currency, then the merchant's order. The text starts with the charge's ID. */
export function describeCharge({ chargeId, sessionId, source, currency }: Described, orderId: string | null): string {
  return [chargeId, sessionId, source, currency, orderId ?? ''].join(' ').trim().slice(0, DESCRIPTION_LENGTH);
}

/** Null for a payment of another system. */
export function chargeDescribedAs(text: string): Described | null {
  const [charge = '', session = '', source = '', currency = ''] = text.split(' ');
  const [chargeId, sessionId] = [parseId('Charge', charge), parseId('CheckoutSession', session)];
  if (chargeId === null || sessionId === null || !SOURCES.includes(source)) return null;
  return { chargeId, sessionId, source: source as ChargeSource, currency };
}

export const describeRefund = (refundId: RefundId, chargeId: ChargeId) => `${refundId} ${chargeId}`;

export const refundDescribedAs = (text: string): RefundId | null => parseId('Refund', text.split(' ', 1)[0] ?? '');
