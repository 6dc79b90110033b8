/**
 * Saved cards at Braintree: payment methods in the vault. A charge with `vaultPaymentMethodAfterTransacting` names one. A token
 * is saved by `vaultCreditCard`, which has the bank verify the card. It has no idempotency key: if its answer was lost, the
 * token is used up, and the card must be entered again.
 */
import { z } from 'zod';
import type { CardWallet, ForgetCardRequest, SavedCardAnswer } from '../port/saved-cards.ts';
import { saveFailure } from '../vendor-api/faults.ts';
import { GraphqlError, type OpenBraintree } from './client.ts';
import { faultOf, NOT_FOUND } from './errors.ts';
import { cardOf, PAYMENT_METHOD, PAYMENT_METHOD_FIELDS, type PaymentMethod, readTransaction } from './transactions.ts';

const VAULT = `mutation VaultCard($input: VaultCreditCardInput!) {
  vaultCreditCard(input: $input) { paymentMethod { ${PAYMENT_METHOD_FIELDS} } }
}`;
const VAULTED = z.object({ vaultCreditCard: z.object({ paymentMethod: PAYMENT_METHOD.nullable() }) });

const DELETE = `mutation DeleteCard($input: DeletePaymentMethodFromVaultInput!) {
  deletePaymentMethodFromVault(input: $input) { clientMutationId }
}`;
const DELETED = z.object({ deletePaymentMethodFromVault: z.object({}) });

export function braintreeWallet(open: OpenBraintree): CardWallet {
  return {
    async save({ token, ...access }, signal) {
      try {
        const api = await open(access, signal);
        const verification = { merchantAccountId: api.settings.merchant_account_id };
        const input = { paymentMethodId: token, verification };
        return savedOf((await api.ask(VAULT, { input }, VAULTED)).vaultCreditCard.paymentMethod);
      } catch (error) {
        return saveFailure(faultOf(error));
      }
    },
    async saveCharged({ processorPaymentId, ...access }, signal) {
      try {
        const { paymentMethod } = await readTransaction(await open(access, signal), processorPaymentId);
        return savedOf(paymentMethod ?? null);
      } catch (error) {
        return saveFailure(faultOf(error));
      }
    },
    forget: (request, signal) => forget(open, request, signal),
  };
}

/** @param method null if the bank did not verify the card, or it was deleted */
function savedOf(method: PaymentMethod | null): SavedCardAnswer {
  const card = method === null ? null : cardOf(method);
  return card === null ? { status: 'refused' } : { status: 'saved', ...card };
}

async function forget(
  open: OpenBraintree,
  { handle: paymentMethodId, ...access }: ForgetCardRequest,
  signal: AbortSignal,
): Promise<{ status: 'gone' | 'unavailable' }> {
  try {
    const api = await open(access, signal);
    await api.ask(DELETE, { input: { paymentMethodId } }, DELETED);
    return { status: 'gone' };
  } catch (error) {
    return { status: error instanceof GraphqlError && error.errorClass === NOT_FOUND ? 'gone' : 'unavailable' };
  }
}
