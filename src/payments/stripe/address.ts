/** Stripe's address; tests pass that of a fake server. */
export interface StripeAddress {
  host: string;
  port: number;
  protocol: 'http' | 'https';
}

export const STRIPE_ADDRESS: StripeAddress = { host: 'api.stripe.com', port: 443, protocol: 'https' };
