/** Charges for the tests of the Stripe adapter. */
import { newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { ChargeRequest, PayableCard } from '../../../src/payments/port/charges.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { STRIPE_CREDENTIALS } from '../../support/vendor-processors.ts';

/** The number of a card that is approved. */
export const GOOD = '4242424242424242';

export function keyed(number: string, postalCode: string | null = null): PayableCard {
  return {
    kind: 'keyed',
    card: {
      number: Secret.of(number),
      expiry: Secret.of('0431'),
      securityCode: Secret.of('987'),
      postalCode: postalCode === null ? null : Secret.of(postalCode),
    },
  };
}

export const requestFor = (card: PayableCard, overrides: Partial<ChargeRequest> = {}): ChargeRequest => ({
  chargeId: newId('Charge'),
  sessionId: newId('CheckoutSession'),
  accountId: newId('Account'),
  mode: 'test',
  amount: { amountCents: 1_234, currency: 'EUR' },
  card,
  orderId: 'order 7',
  keepsCard: false,
  channel: card.kind === 'keyed' ? 'phone' : card.kind === 'saved' ? 'agent' : 'page',
  credentials: secretCredentials(STRIPE_CREDENTIALS),
  ...overrides,
});
