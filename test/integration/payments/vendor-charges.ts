/** Charges for the tests of the vendors' adapters. */
import { newId } from '../../../src/domain/ids.ts';
import { Secret } from '../../../src/domain/secret.ts';
import type { ChargeRequest, PayableCard } from '../../../src/payments/port/charges.ts';
import { type PlainCredentials, secretCredentials } from '../../../src/payments/port/credentials.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
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

/** A card of the fake, in one of the ways that it can be charged. */
export function cardOf(
  kind: PayableCard['kind'],
  fake: { savedCard(number: string): string; token(number: string): string },
  number: string,
): PayableCard {
  if (kind === 'keyed') return keyed(number);
  return kind === 'saved' ? { kind, handle: fake.savedCard(number) } : { kind, token: fake.token(number) };
}

/**
 * Charges and lookups of an adapter.
 * @param good the number of a card that is approved
 * @param of what its charges have beside the default
 */
export function chargesAt(
  processor: () => Processor,
  credentials: () => PlainCredentials,
  good: string,
  of: Partial<ChargeRequest> = {},
) {
  const request = (card: PayableCard = keyed(good), overrides: Partial<ChargeRequest> = {}) =>
    requestFor(card, { credentials: secretCredentials(credentials()), ...of, ...overrides });
  const charge = (made: ChargeRequest) => processor().charge(made, requestTimeout());
  const lookUp = (made: ChargeRequest, createdAt = new Date()) =>
    processor().lookUp({ ...made, createdAt }, requestTimeout());
  return { request, charge, lookUp };
}
