/**
 * Saved cards at Adyen: stored payment methods of a shopper. Each card is a shopper of its own, whose reference is our ID of
 * the charge that saved it. A card is saved with its charge only: Adyen has no list by payment.
 */
import { z } from 'zod';
import type { ChargeId } from '../../domain/ids.ts';
import type { ProcessorCard } from '../port/answers.ts';
import type { CardWallet } from '../port/saved-cards.ts';
import { type Adyen, HttpError, type OpenAdyen } from './client.ts';

const LIST = z.object({
  storedPaymentMethods: z
    .array(
      z.object({
        id: z.string(),
        brand: z.string().nullish(),
        lastFour: z.string().nullish(),
        expiryMonth: z.string().nullish(),
        expiryYear: z.string().nullish(),
      }),
    )
    .nullish(),
});

/** @throws HttpError, NoAnswer */
export async function readSavedCard(api: Adyen, shopperReference: ChargeId): Promise<ProcessorCard | null> {
  const query = new URLSearchParams({ shopperReference, merchantAccount: api.settings.merchant_account });
  const { storedPaymentMethods } = await api.ask('GET', `/storedPaymentMethods?${query}`, LIST);
  const [card] = storedPaymentMethods ?? [];
  if (card?.brand == null || card.lastFour == null) return null;
  const [expiryMonth, expiryYear] = [Number(card.expiryMonth ?? Number.NaN), yearOf(card.expiryYear ?? '')];
  if (!Number.isInteger(expiryMonth) || expiryYear === null) return null;
  const handle = `${shopperReference}/${card.id}`;
  const brand = BRANDS[card.brand] ?? card.brand.toUpperCase();
  return { handle, fingerprint: null, brand, lastFour: card.lastFour, expiryMonth, expiryYear };
}

const BRANDS: Readonly<Record<string, string>> = { mc: 'MASTERCARD', amex: 'AMERICAN_EXPRESS', diners: 'DINERS_CLUB' };

/** "The last two digits of the year", or all four in older tokens. */
function yearOf(text: string): number | null {
  if (!/^(?:\d{2}|\d{4})$/.test(text)) return null;
  return text.length === 2 ? 2_000 + Number(text) : Number(text);
}

export function partsOf(handle: string): { shopperReference: string; storedPaymentMethodId: string } {
  const [shopperReference = '', storedPaymentMethodId = ''] = handle.split('/');
  return { shopperReference, storedPaymentMethodId };
}

export function adyenWallet(open: OpenAdyen): CardWallet {
  return {
    save: async () => ({ status: 'refused' }),
    saveCharged: async () => ({ status: 'refused' }),
    async forget({ handle, ...access }, signal) {
      try {
        const api = await open(access, signal);
        const { shopperReference, storedPaymentMethodId } = partsOf(handle);
        const query = new URLSearchParams({ shopperReference, merchantAccount: api.settings.merchant_account });
        const path = `/storedPaymentMethods/${encodeURIComponent(storedPaymentMethodId)}?${query}`;
        await api.ask('DELETE', path, z.unknown());
        return { status: 'gone' };
      } catch (error) {
        // 803: "PaymentDetail not found".
        const isGone = error instanceof HttpError && (error.status === 404 || error.code === '803');
        return { status: isGone ? 'gone' : 'unavailable' };
      }
    },
  };
}
