/**
 * Charges at Braintree. A keyed card is exchanged for a single-use ID (`tokenizeCreditCard`), which is charged or held
 * (`chargeCreditCard`, `authorizeCreditCard`). There is no idempotency key that every merchant may use. The gateway rejects a
 * second transaction with the same order ID, amount and card for 30 seconds, or as long as the merchant sets
 * (developer.paypal.com/braintree/articles/control-panel/transactions/duplicate-checking), and names the first one. Our order
 * ID starts with the charge's ID.
 */
import { z } from 'zod';
import { majorUnits } from '../../domain/money.ts';
import { declinedUnpaid, isApproved, type NotFound, type ProcessorAnswer, refused, unknown } from '../port/answers.ts';
import type { ChargeRequest, LookupRequest } from '../port/charges.ts';
import { type CardPlaces, cardPlaces } from '../vendor-api/card-request.ts';
import { describeCharge, SOURCE_OF } from '../vendor-api/descriptions.ts';
import { chargeFailure, type Fault, passes } from '../vendor-api/faults.ts';
import { lookUpListed } from '../vendor-api/lookup.ts';
import { askAgain } from '../vendor-api/no-retry.ts';
import type { Braintree, OpenBraintree } from './client.ts';
import { faultOf } from './errors.ts';
import {
  answerOf,
  describedTransaction,
  duplicateOf,
  readTransaction,
  TRANSACTION,
  TRANSACTION_FIELDS,
  type Transaction,
} from './transactions.ts';

/**
 * A single-use ID of Braintree's client SDKs: of its GraphQL API, or of the one before
 * (github.com/braintree/braintree-web/issues/492). Never an ID of the vault, with which a payer could pay by the card of
 * another one: it has the same place in a request.
 */
export const BRAINTREE_TOKEN = /^(?:tokencc_\w{2,240}|[0-9a-f]{1,12}(?:-[0-9a-f]{1,12}){4})$/;

const TOKENIZE = `mutation TokenizeCard($input: TokenizeCreditCardInput!) {
  tokenizeCreditCard(input: $input) { paymentMethod { id } }
}`;
const CHARGE = `mutation ChargeCard($input: ChargeCreditCardInput!) {
  chargeCreditCard(input: $input) { transaction { ${TRANSACTION_FIELDS} } }
}`;
const AUTHORIZE = `mutation AuthorizeCard($input: AuthorizeCreditCardInput!) {
  authorizeCreditCard(input: $input) { transaction { ${TRANSACTION_FIELDS} } }
}`;

const TOKENIZED = z.object({ tokenizeCreditCard: z.object({ paymentMethod: z.object({ id: z.string() }) }) });
const PAYLOAD = z.object({ transaction: TRANSACTION });
const CHARGED = z.object({ chargeCreditCard: PAYLOAD });
const AUTHORIZED = z.object({ authorizeCreditCard: PAYLOAD });

export async function chargeBraintree(
  open: OpenBraintree,
  request: ChargeRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const { card, channel, amount } = request;
  try {
    // Only if `can.pageKeypad` was ignored: the payer of a MOTO payment is on the phone.
    if (card.kind === 'keyed' && channel !== 'phone') return refused('keypad_unsupported');
    const api = await open(request, signal);
    if (amount.currency !== api.settings.currency) return refused('currency_unsupported');
    if (signal.aborted) return unknown('timeout');
    const method = await paymentMethodOf(api, request, signal);
    if (typeof method !== 'string') return method;
    if (signal.aborted) return unknown('timeout');
    return await chargeMethod(api, request, method, signal);
  } catch (error) {
    return chargeFailure(faultOf(error));
  } finally {
    if (card.kind === 'keyed') card.card.securityCode.wipe();
  }
}

/** The ID to charge. No money moves here, so whatever fails is a clear failure. */
export async function paymentMethodOf(
  api: Braintree,
  { card }: ChargeRequest,
  signal: AbortSignal,
): Promise<string | ProcessorAnswer> {
  if (card.kind === 'saved') return card.handle;
  if (card.kind === 'token') return card.token;
  const places = cardPlaces();
  try {
    const { tokenizeCreditCard } = await askAgain(
      signal,
      () =>
        api.ask(TOKENIZE, { input: tokenInput(card.card.postalCode !== null, places) }, TOKENIZED, {
          keyed: { card: card.card, places },
        }),
      (error) => passes(faultOf(error)),
    );
    return tokenizeCreditCard.paymentMethod.id;
  } catch (error) {
    const fault = faultOf(error);
    if (fault.kind !== 'unknown') return chargeFailure(fault);
    return signal.aborted ? unknown(fault.cause) : declinedUnpaid('not_tokenized', 'try_again_later');
  }
}

function tokenInput(hasPostalCode: boolean, places: CardPlaces): object {
  const { number, month, year, securityCode, postalCode } = places;
  return {
    creditCard: {
      number,
      expirationMonth: month,
      expirationYear: `20${year}`,
      cvv: securityCode,
      ...(hasPostalCode && { billingAddress: { postalCode } }),
    },
    options: { validate: true },
  };
}

async function chargeMethod(
  api: Braintree,
  request: ChargeRequest,
  paymentMethodId: string,
  signal: AbortSignal,
): Promise<ProcessorAnswer> {
  const variables = { input: { paymentMethodId, transaction: transactionOf(api, request) } };
  try {
    const { transaction } = await askAgain(
      signal,
      async () =>
        request.isHold === true
          ? (await api.ask(AUTHORIZE, variables, AUTHORIZED)).authorizeCreditCard
          : (await api.ask(CHARGE, variables, CHARGED)).chargeCreditCard,
      (error) => passes(faultOf(error)),
    );
    return await outcomeOf(api, request, transaction);
  } catch (error) {
    return rejected(api, request, faultOf(error));
  }
}

function transactionOf({ settings }: Braintree, request: ChargeRequest): object {
  const { amount, channel, chargeId, sessionId, orderId, keepsCard, card } = request;
  const described = { chargeId, sessionId, source: SOURCE_OF[channel], currency: amount.currency };
  const paymentInitiator = initiatorOf(request);
  return {
    amount: majorUnits(amount),
    merchantAccountId: settings.merchant_account_id,
    orderId: describeCharge(described, orderId),
    ...(paymentInitiator !== null && { paymentInitiator }),
    ...(keepsCard && card.kind !== 'saved' && { vaultPaymentMethodAfterTransacting: { when: ON_SUCCESS } }),
  };
}

const ON_SUCCESS = 'ON_SUCCESSFUL_TRANSACTION';

/**
 * "If the transaction is an ecommerce transaction initiated by the customer, no value is passed." The payer is on the phone,
 * also if an agent charges the saved card.
 */
function initiatorOf({ channel }: ChargeRequest): 'MOTO' | 'UNSCHEDULED' | null {
  if (channel === 'page') return null;
  return channel === 'merchant' ? 'UNSCHEDULED' : 'MOTO';
}

async function outcomeOf(
  api: Braintree,
  { chargeId }: ChargeRequest,
  transaction: Transaction,
): Promise<ProcessorAnswer> {
  if (describedTransaction(transaction)?.chargeId !== chargeId) return unknown('answer_to_another');
  const duplicate = duplicateOf(transaction);
  if (duplicate === undefined) return answerOf(transaction);
  const { originalId } = duplicate;
  const original = originalId === null ? null : await readTransaction(api, originalId).catch(() => null);
  return original !== null && describedTransaction(original)?.chargeId === chargeId
    ? answerOf(original)
    : unknown('duplicate');
}

/** A token can be used once, so a repeated request is rejected because of it, even if the first was approved. */
async function rejected(api: Braintree, { card, chargeId }: ChargeRequest, fault: Fault): Promise<ProcessorAnswer> {
  if (card.kind !== 'token' || fault.kind !== 'declined') return chargeFailure(fault);
  const earlier = await findCharge(api, chargeId).catch(() => undefined);
  if (earlier === undefined) return unknown('token_used');
  return earlier === null ? chargeFailure(fault) : answerOf(earlier);
}

const SEARCH = `query FindCharge($input: TransactionSearchInput!) {
  search { transactions(input: $input, first: 10) { edges { node { ${TRANSACTION_FIELDS} } } } }
}`;
const FOUND = z.object({
  search: z.object({ transactions: z.object({ edges: z.array(z.object({ node: TRANSACTION })) }) }),
});

/** A repeated request can only have made a second transaction if the first failed, or as its rejected duplicate. */
async function findCharge(
  api: Braintree,
  chargeId: string,
  onAnswer?: (answer: Pick<Response, 'headers'>) => void,
): Promise<Transaction | null> {
  const variables = { input: { orderId: { startsWith: chargeId } } };
  const { transactions } = (await api.ask(SEARCH, variables, FOUND, { onAnswer })).search;
  const ours = transactions.edges
    .map(({ node }) => node)
    .filter((node) => describedTransaction(node)?.chargeId === chargeId && duplicateOf(node) === undefined);
  const rank = (node: Transaction) => {
    const answer = answerOf(node);
    return isApproved(answer) ? 0 : answer.status === 'unknown' ? 1 : 2;
  };
  return ours.toSorted((one, other) => rank(one) - rank(other))[0] ?? null;
}

/** Searches by our order ID. */
export function lookUpBraintree(
  open: OpenBraintree,
  request: LookupRequest,
  signal: AbortSignal,
): Promise<ProcessorAnswer | NotFound> {
  return lookUpListed(
    request,
    async (onAnswer) => findCharge(await open(request, signal), request.chargeId, onAnswer),
    answerOf,
    faultOf,
  );
}
