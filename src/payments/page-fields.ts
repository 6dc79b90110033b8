/**
 * What the pay page's server, its script and a processor's browser module hand to each other. Types and plain data
 * only: the browser's scripts are compiled with it.
 */

/** Of a wallet's button: how the payer pays with a card that the wallet keeps. */
export type PageWallet = 'apple_pay' | 'google_pay';

/** `data-config` of the form: what a processor's browser module needs. All of it is public. */
export interface FieldsConfig {
  /** The vendor's scripts, in the order in which they are loaded. */
  scripts: readonly string[];
  publicKey: string;
  /** Stripe's connected account, Square's location. */
  locationId: string | null;
  /** In minor units. */
  amountCents: number;
  /** The amount in major units, with a point: `12.34`, and `1234` of a currency without minor units. */
  amount: string;
  /** ISO 4217. */
  currency: string;
  /**
   * ISO 3166-1 alpha-2: where the merchant's account is. Null where it is not known: then no wallet is offered that
   * wants it.
   */
  country: string | null;
  /** Shown in a wallet's dialog. */
  businessName: string;
  /** BCP 47: the page's. */
  language: string;
  /** Whether wallets' buttons are shown. */
  wallets: boolean;
}

/**
 * Why no token was made. `incomplete`: a field of the card is missing or wrong, which the vendor's field shows itself.
 * `declined`: the vendor refuses the card. `not_verified`: its bank did not confirm the payer. `canceled`: the payer
 * closed a wallet. `unavailable`: the vendor could not be reached, or its script fails.
 */
export type FieldError = 'incomplete' | 'declined' | 'not_verified' | 'canceled' | 'unavailable';

export type Tokenized = { token: string; wallet?: PageWallet } | { error: FieldError };

/** What a processor asks the payer's browser to do: `data-action` of the form with which it is told that it is done. */
export interface StripeCardAction {
  kind: 'stripe';
  clientSecret: string;
}

/** `data-words` of the form: what the script shows, in the page's language. */
export interface FieldsWords {
  /** While the payment is on its way. */
  working: string;
  /** It is still on its way. */
  still: string;
  /** It did not get through, or its answer did not, and is sent again. */
  offline: string;
  /** It is no longer sent by itself: the payer presses the button again. */
  unsent: string;
  /** The vendor's script has not come yet. */
  slow: string;
  /** It was blocked or failed; the phone's keypad is left. */
  blocked: string;
  /** The bank's dialog did not come. */
  not_shown: string;
  incomplete: string;
  declined: string;
  not_verified: string;
  unavailable: string;
}
