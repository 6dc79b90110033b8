/**
 * Saves a card at Braintree without a payment: a customer of its own, whose company is our charge ID, and
 * `vaultCreditCard`, which has the bank verify the card ("If the verification fails, the credit card will not be vaulted",
 * github.com/braintree/graphql-api). There is no idempotency key: a token can be vaulted once, and the customer finds
 * the card again.
 */
import { z } from 'zod';
import { type NotFound, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest, LookupRequest } from '../port/charges.ts';
import { chargeFailure } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { paymentMethodOf } from './charge.ts';
import type { Braintree, OpenBraintree } from './client.ts';
import { declineOf, faultOf, isOfAccount, rejectionOf } from './errors.ts';
import { cardOf, PAYMENT_METHOD, PAYMENT_METHOD_FIELDS, type PaymentMethod } from './transactions.ts';

const CREATE = `mutation CreateCustomer($input: CreateCustomerInput) {
  createCustomer(input: $input) { customer { id } }
}`;
const CREATED = z.object({ createCustomer: z.object({ customer: z.object({ id: z.string() }) }) });

const VERIFY = `mutation VerifyCard($input: VaultCreditCardInput!) {
  vaultCreditCard(input: $input) {
    paymentMethod { ${PAYMENT_METHOD_FIELDS} }
    verification { id status processorResponse { legacyCode } gatewayRejectionReason }
  }
}`;
const VERIFICATION = z.object({
  id: z.string(),
  status: z.string(),
  processorResponse: z.object({ legacyCode: z.string().nullish() }).nullish(),
  gatewayRejectionReason: z.string().nullish(),
});
const VERIFIED = z.object({
  vaultCreditCard: z.object({ paymentMethod: PAYMENT_METHOD.nullish(), verification: VERIFICATION.nullish() }),
});

export async function verifyBraintreeCard(
  open: OpenBraintree,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, channel } = request;
  try {
    const place = card.kind === 'keyed' ? 'phone' : card.kind === 'token' ? 'page' : null;
    if (channel !== place) return refused('verification_unsupported');
    const api = await open(request, signal);
    if (signal.aborted) return unknown('timeout');
    const method = await paymentMethodOf(api, request, signal);
    if (typeof method !== 'string') return method;
    if (signal.aborted) return unknown('timeout');
    return await vault(api, request, method);
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
  }
}

async function vault(api: Braintree, { chargeId }: ChargeRequest, paymentMethodId: string): Promise<ProcessorAnswer> {
  const customer = { input: { customer: { company: chargeId } } };
  const { id: customerId } = (await api.ask(CREATE, customer, CREATED)).createCustomer.customer;
  const verification = { merchantAccountId: api.settings.merchant_account_id };
  const input = { paymentMethodId, customerId, verification };
  const { paymentMethod, verification: made } = (await api.ask(VERIFY, { input }, VERIFIED)).vaultCreditCard;
  return paymentMethod == null ? rejectedAs(made) : answerOfMethod(paymentMethod);
}

function rejectedAs(verification: z.infer<typeof VERIFICATION> | null | undefined): ProcessorAnswer {
  const { id = '', status = 'answer', processorResponse, gatewayRejectionReason: reason } = verification ?? {};
  switch (status) {
    case 'PROCESSOR_DECLINED':
    case 'FAILED':
      return declineOf(processorResponse?.legacyCode ?? null, id);
    case 'GATEWAY_REJECTED':
      return isOfAccount(reason ?? '') ? refused(reason ?? '') : rejectionOf(reason ?? 'UNKNOWN', id);
    default:
      return unknown(status.toLowerCase());
  }
}

function answerOfMethod(method: PaymentMethod): ProcessorAnswer {
  const savedCard = cardOf(method);
  if (savedCard === null) return unknown('no_card');
  const { brand, lastFour } = savedCard;
  return { status: 'succeeded', processorPaymentId: method.id, card: { brand, lastFour }, savedCard };
}

const FIND = `query FindCard($input: CustomerSearchInput!) {
  search { customers(input: $input, first: 10) { edges { node {
    company
    paymentMethods(first: 1) { edges { node { ${PAYMENT_METHOD_FIELDS} } } }
  } } } }
}`;
const METHODS = z.object({ edges: z.array(z.object({ node: PAYMENT_METHOD })) });
const CUSTOMER = z.object({ company: z.string().nullish(), paymentMethods: METHODS });
const CUSTOMERS = z.object({ edges: z.array(z.object({ node: CUSTOMER })) });
const FOUND = z.object({ search: z.object({ customers: CUSTOMERS }) });

/** A card that was not vaulted is not found, whether the bank declined it or the request never arrived. */
export function lookUpBraintreeCard(
  open: OpenBraintree,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  const { chargeId } = request;
  return lookUpListed(
    request,
    async (onAnswer) => {
      const api = await open(request, signal);
      const input = { company: { is: chargeId } };
      const { customers } = (await api.ask(FIND, { input }, FOUND, { onAnswer })).search;
      const ours = customers.edges.filter(({ node }) => node.company === chargeId);
      return ours.flatMap(({ node }) => node.paymentMethods.edges)[0]?.node ?? null;
    },
    answerOfMethod,
    faultOf,
  );
}
