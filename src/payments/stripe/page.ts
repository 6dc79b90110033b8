/** What the pay page loads from Stripe, and the registration of the page's host. */
import type Stripe from 'stripe';
import { randomToken } from '../../domain/ids.ts';
import type { LiveWallets, PageDomainRequest, ProcessorPage } from '../port/page.ts';
import { API_VERSION, type OpenStripe } from './client.ts';

/**
 * The release train of our API version. A train's Stripe.js supports its versions
 * (docs.stripe.com/sdks/stripejs-versioning).
 */
const TRAIN = API_VERSION.split('.')[1] ?? '';
const SCRIPT = `https://js.stripe.com/${TRAIN}/stripe.js`;

/** docs.stripe.com/security/guide#content-security-policy, without the entries for address maps. */
const OWN_FRAMES = ['https://*.js.stripe.com', 'https://js.stripe.com'];

const PAGE: ProcessorPage = {
  module: 'stripe',
  scripts: [
    { url: SCRIPT, why: 'Stripe’s card field, wallets and 3-D Secure: the card goes from the browser to Stripe.' },
  ],
  sources: {
    script: OWN_FRAMES,
    frame: [...OWN_FRAMES, 'https://hooks.stripe.com'],
    connect: ['https://api.stripe.com'],
    img: ['https://*.stripe.com'],
    style: [],
    font: [],
  },
};

/** Both modes use the same Stripe.js; the key decides. */
export const stripePage = (): ProcessorPage => PAGE;

/**
 * Registers the pay page's host (docs.stripe.com/payments/payment-methods/pmd-registration) for the account that the
 * page's tokens are created for. With Connect, that is the connected account, as in every request of a merchant.
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
