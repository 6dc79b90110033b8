/** Where a merchant does business, as far as its currency tells. */
import type { Currency } from './money.ts';
import type { Country } from './phone-number.ts';

/** With its territories, which share its numbering. */
const UNITED_STATES = ['US', 'PR', 'VI', 'GU', 'AS', 'MP'] as const;
/** Members of the euro area. */
const EURO_AREA = [
  ...(['AT', 'BE', 'BG', 'CY', 'DE', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR'] as const),
  ...(['IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PT', 'SI', 'SK'] as const),
];

/** The countries with this currency (ISO 4217, ISO 3166-1). */
export const COUNTRIES_OF_CURRENCY: Readonly<Record<Currency, readonly Country[]>> = {
  USD: UNITED_STATES,
  EUR: EURO_AREA,
  GBP: ['GB'],
  CAD: ['CA'],
  AUD: ['AU'],
  JPY: ['JP'],
  KRW: ['KR'],
};
