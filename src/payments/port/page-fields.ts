/**
 * Data that the pay page's server, its script and a processor's browser module exchange. Types and plain data only:
 * this is compiled into the browser's scripts.
 */

/** A wallet button on the page. */
export type PageWallet = 'apple_pay' | 'google_pay';

/** `data-config` of the form: the settings of a processor's browser module. All of it is public. */
export interface FieldsConfig {
  /** The vendor's scripts, in loading order. */
  scripts: readonly string[];
  publicKey: string;
  /** Stripe's connected account, Square's location, Authorize.net's API login ID, Adyen's environment. */
  locationId: string | null;
  /** In minor units. */
  amountCents: number;
  /** In major units, with a point: `12.34`, or `1234` for a currency without minor units. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /**
   * ISO 3166-1 alpha-2: the country of the merchant's account. Null if unknown; then wallets that need it are not
   * offered.
   */
  country: string | null;
  /** Shown in a wallet's dialog. */
  businessName: string;
  /** BCP 47: the language of the page. */
  language: string;
  /** The card is only saved: there is no amount, and wallets are off. */
  savesOnly: boolean;
  /** Whether wallet buttons are shown. */
  wallets: boolean;
}

/**
 * Why there is no token. `incomplete`: a card field is missing or wrong, and the vendor's field shows it. `declined`:
 * the vendor rejects the card. `not_verified`: its bank did not confirm the payer. `canceled`: the payer closed a
 * wallet. `unavailable`: the vendor could not be reached, or its script failed.
 */
export type FieldError = 'incomplete' | 'declined' | 'not_verified' | 'canceled' | 'unavailable';

export type Tokenized = { token: string; wallet?: PageWallet } | { error: FieldError };

/** The challenge that a processor shows in the payer's browser: `data-action` of the form that reports it done. */
export interface StripeCardAction {
  kind: 'stripe';
  clientSecret: string;
}
