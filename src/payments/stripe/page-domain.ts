/** Registers the pay page's host at Stripe (docs.stripe.com/payments/payment-methods/pmd-registration). */
import type Stripe from 'stripe';
import { randomToken } from '../../domain/ids.ts';
import type { LiveWallets, PageDomainRequest } from '../ports.ts';
import type { OpenStripe } from './client.ts';

/**
 * For the account that the page's tokens are created for. With Connect, that is the connected account, as in every
 * request of a merchant.
 */
export async function registerStripeDomain(
  open: OpenStripe,
  request: PageDomainRequest,
  signal: AbortSignal,
): Promise<LiveWallets | null> {
  try {
    const stripe = await open(request, signal);
    const domain = await findOrCreate(stripe, request.domain);
    return walletsOf(isActive(domain.apple_pay) ? domain : await validate(stripe, domain));
  } catch {
    return null;
  }
}

/** A new key each time. A repeat finds the domain that the first call created. */
const once = () => ({ idempotencyKey: `ringkey-domain-${randomToken()}` });

async function findOrCreate(stripe: Stripe, name: string): Promise<Stripe.PaymentMethodDomain> {
  const { data } = await stripe.paymentMethodDomains.list({ domain_name: name, limit: 1 });
  return data[0] ?? (await stripe.paymentMethodDomains.create({ domain_name: name }, once()));
}

/** Apple may not have reached the host when it was registered. */
function validate(stripe: Stripe, { id }: Stripe.PaymentMethodDomain): Promise<Stripe.PaymentMethodDomain> {
  return stripe.paymentMethodDomains.validate(id, {}, once());
}

const isActive = ({ status }: { status: string }) => status === 'active';

const walletsOf = ({ enabled, apple_pay, google_pay }: Stripe.PaymentMethodDomain): LiveWallets => ({
  applePay: enabled && isActive(apple_pay),
  googlePay: enabled && isActive(google_pay),
});
