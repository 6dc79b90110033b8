/**
 * Registers the pay page's host at Square (RegisterDomain). Apple checks that the host serves Square's association
 * file: app.squareup.com/digital-wallets/apple-pay/apple-developer-merchantid-domain-association. Google Pay needs no
 * registration.
 */
import type { LiveWallets, PageDomainRequest } from '../ports.ts';
import type { OpenSquare } from './client.ts';
import { faultOf } from './errors.ts';

const GOOGLE_ONLY: LiveWallets = { applePay: false, googlePay: true };

export async function registerSquareDomain(
  open: OpenSquare,
  request: PageDomainRequest,
  signal: AbortSignal,
): Promise<LiveWallets | null> {
  try {
    const { square } = await open(request, signal);
    const { status } = await square.applePay.registerDomain({ domainName: request.domain });
    return { ...GOOGLE_ONLY, applePay: status === 'VERIFIED' };
  } catch (error) {
    const { kind } = faultOf(error);
    // Rejected: Apple did not find the file.
    return kind === 'refused' || kind === 'declined' ? GOOGLE_ONLY : null;
  }
}
