/**
 * The test charge that proves a merchant's processor: a checkout, a charge of a published test card as if a caller had
 * keyed it, and its refund. Test mode only. It takes the one path of all payments, so it is recorded as one.
 */
import type { MerchantResource } from '../../../contract/merchants.ts';
import { brandOf } from '../../../domain/card.ts';
import { parseId } from '../../../domain/ids.ts';
import { Secret } from '../../../domain/secret.ts';
import type { KeyedCard } from '../../../flow/effects.ts';
import type { PaymentRequest, PaymentResult } from '../../../payments/charges/take-payment.ts';
import type { VendorTestCard } from '../../../payments/port/test-data.ts';
import { TEST_CARDS } from '../../../payments/sandbox/cards.ts';
import type { CreateCheckoutResponse } from '../../api/routes/create-checkout.ts';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { Visit } from '../page/visit.ts';
import { TEST_CALLER } from '../try-it/scripts.ts';
import type { TriedProcessor } from '../try-it/vendors.ts';
import { processorWords } from './words/processor/index.ts';

export interface ProofDeps {
  processors: readonly TriedProcessor[];
  /** The one path that takes a payment. */
  pay: (request: PaymentRequest) => Promise<PaymentResult>;
  now: () => Date;
}

/** In minor units. Above the smallest, and below the amounts that make a vendor's test environment decline. */
export const PROOF_CENTS = 1_000;

export type ProofCard = Pick<VendorTestCard, 'about' | 'number' | 'expiry' | 'securityCode'>;

/** The card of the test charge, or why there is none. */
export function proofCardOf(
  processors: readonly TriedProcessor[],
  { processor: name }: Pick<MerchantResource, 'processor'>,
): ProofCard | string {
  const processor = processors.find((each) => each.name === name);
  const w = processorWords().proof.noCard;
  if (processor === undefined) return w.connectFirst;
  if (!processor.can.keypad) return w.pageOnly;
  const card = processor.needsCredentials ? processor.testData?.cards[0] : TEST_CARDS[0];
  return card ?? w.noneKnown;
}

/** Any year in which the card has not expired. */
const YEARS_AHEAD = 3;

function keyedCard({ number, expiry, securityCode }: ProofCard, now: Date): KeyedCard {
  const year = String((now.getUTCFullYear() + YEARS_AHEAD) % 100).padStart(2, '0');
  const secret = Secret.of(number);
  const code = brandOf(secret)?.securityCodeLength === 4 ? '1234' : '123';
  return {
    number: secret,
    expiry: Secret.of(expiry ?? `12${year}`),
    securityCode: Secret.of(securityCode ?? code),
    postalCode: null,
  };
}

/** Why nothing was charged. */
export interface NotCharged {
  why: string;
  /** A message of the API, which is English. */
  isApis?: true;
}

/** @returns the ID of the charge, or why there is none */
export async function makeProofCharge(
  visit: Visit,
  { processors, pay, now }: ProofDeps,
  merchant: MerchantResource,
): Promise<{ charge: string } | NotCharged> {
  const w = processorWords().proof;
  if (visit.mode !== 'test') throw new DashboardFault('refused', w.testModeOnly, { isOwn: true });
  const card = proofCardOf(processors, merchant);
  if (typeof card === 'string') return { why: card };
  const created = await visit.tryAsk<CreateCheckoutResponse>({
    method: 'POST',
    path: '/v1/create_checkout',
    body: {
      merchant_id: merchant.merchant_id,
      amount_cents: PROOF_CENTS,
      caller_phone: TEST_CALLER,
    },
  });
  if (!created.ok) {
    if (created.status >= 500 || created.status === 403) throw new DashboardFault(faultOfStatus(created.status));
    return { why: created.error.message, isApis: true };
  }
  if (created.body.transfer_to === null) return { why: w.refusals.nothingToPay };
  const sessionId = parseId('CheckoutSession', created.body.checkout_session_id);
  if (sessionId === null) throw new Error('a checkout without an ID');
  const { accountId } = visit.user;
  const result = await pay({
    sessionId,
    scope: { accountId, mode: 'test' },
    source: 'phone',
    card: { kind: 'keyed', card: keyedCard(card, now()) },
    log: visit.log,
  });
  if (result.charge === null) return { why: whyNotCharged(result) };
  const { id, status } = result.charge;
  // A refusal or an unknown outcome of the refund is on the page of the result.
  if (status === 'succeeded')
    await visit.tryAsk({ method: 'POST', path: '/v1/refunds', body: { charge: id, amount_cents: PROOF_CENTS } });
  return { charge: id };
}

function whyNotCharged(result: PaymentResult): string {
  const w = processorWords().proof.refusals;
  if (result.type !== 'refused') return w.notMade;
  switch (result.reason) {
    case 'nothing_to_pay':
      return w.nothingToPay;
    case 'too_many_attempts':
    case 'too_many_declines':
    case 'merchant_paused':
      return w.limit;
    case 'merchant_not_connected':
    case 'credentials_unreadable':
      return w.credentials;
    case 'unavailable':
      return w.unavailable;
    default:
      return w.other(result.reason);
  }
}
