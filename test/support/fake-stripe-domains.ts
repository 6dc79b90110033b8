/** Payment method domains of the fake Stripe (docs.stripe.com/api/payment_method_domains). */
import type { z } from 'zod';
import { missing, ok, stripeId } from './fake-stripe-answers.ts';
import type { LIST_DOMAINS } from './fake-stripe-requests.ts';
import type { VendorReply } from './fake-vendor-server.ts';

export interface Domain {
  id: string;
  domain_name: string;
  /** Whether Apple has verified the host. */
  isActive: boolean;
}

export class StripeDomains {
  readonly all: Domain[] = [];

  /** @param isActive whether Apple verifies the host at once */
  create(domain_name: string, isActive: boolean): VendorReply {
    const domain = { id: stripeId('pmd'), domain_name, isActive };
    this.all.push(domain);
    return ok(domainObject(domain));
  }

  list({ domain_name, limit }: z.output<typeof LIST_DOMAINS>): VendorReply {
    const data = this.all.filter((domain) => domain.domain_name === domain_name).slice(0, limit);
    return ok({ object: 'list', url: '/v1/payment_method_domains', has_more: false, data: data.map(domainObject) });
  }

  validate(of: string): VendorReply {
    const domain = this.all.find((candidate) => candidate.id === of);
    if (domain === undefined) throw missing(of);
    domain.isActive = true;
    return ok(domainObject(domain));
  }
}

function domainObject({ id: of, domain_name, isActive }: Domain) {
  const status = isActive ? 'active' : 'inactive';
  return {
    id: of,
    object: 'payment_method_domain',
    domain_name,
    enabled: true,
    livemode: false,
    apple_pay: { status },
    google_pay: { status: 'active' },
    link: { status: 'active' },
  };
}
