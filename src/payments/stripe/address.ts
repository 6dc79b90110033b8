/** Where Stripe is; a test's stand-in is at another address. */
export interface StripeAddress {
  host: string;
  port: number;
  protocol: 'http' | 'https';
}

export const STRIPE_ADDRESS: StripeAddress = { host: 'api.stripe.com', port: 443, protocol: 'https' };
