/** What `GET /v1/checkout_sessions/{checkout_session_id}` answers, and events carry. */
import { CheckoutSessionResource } from '../../contract/resources.ts';
import { EchoedMetadata } from './text.ts';

export const RetrievedCheckoutSession = CheckoutSessionResource.extend({ metadata: EchoedMetadata }).meta({
  id: 'CheckoutSession',
  description: 'A checkout session: what is to be paid, by whom and to whom, and how it went.',
});
