/** The settings of a merchant that was created without settings. */
import type { Merchant } from './session.ts';

export const MERCHANT_DEFAULTS = {
  currency: 'USD',
  policy: { kind: 'always' },
  language: 'en-US',
  secondLanguage: null,
  timeZone: 'UTC',
  voice: null,
  asksPostalCode: false,
  asksConfirmation: false,
  cardSaving: 'never',
  textAfterDrop: false,
  returnMode: null,
  acceptedBrands: ['visa', 'mastercard', 'american-express', 'discover'],
  processor: null,
} as const satisfies Omit<Merchant, 'id' | 'accountId' | 'mode' | 'slug' | 'businessName'>;
