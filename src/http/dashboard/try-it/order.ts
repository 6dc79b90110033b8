/** The form of a test call: its values and errors, and the checkout that the caller dials. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { Merchant } from '../../../domain/merchant.ts';
import { roleCovers } from '../../../domain/user.ts';
import { TEST_CARDS } from '../../../payments/sandbox/cards.ts';
import type { ApiQuestion } from '../../api/in-process.ts';
import type { CreateCheckoutResponse } from '../../api/routes/create-checkout.ts';
import { exampleTyped, parseAmount, typedAmount } from '../form/amounts.ts';
import { onceKey } from '../page/attempts.ts';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import type { FormFields } from '../page/page-routes.ts';
import type { Visit } from '../page/visit.ts';
import type { TestCall, TestCallOrder, TestCalls, TestCheckout } from './ports.ts';
import { findScript, TEST_CALLER, type TestScript } from './scripts.ts';
import { declinedAmount, enteredAt, scriptLimit, type TriedProcessor, vendorOf, vendorTitle } from './vendors.ts';
import { tryWords } from './words/index.ts';

/** The submitted values, to show the form again. */
export interface TestCallForm {
  merchant: string;
  script: string;
  /** Name of a test card, a vendor's as `adyen.visa`; empty: the script's own. */
  card: string;
  /** As typed, in major units of the merchant's currency. */
  amount: string;
}

/** Errors by field. `form` is for the whole form. */
export type FormFaults = Partial<Record<keyof TestCallForm | 'form', string>>;

export const firstChoice = (): TestCallForm => ({ merchant: '', script: 'pay', card: '', amount: exampleTyped('USD') });

/** Thrown inside {@link TestCalls.place} to refuse the call with these faults. */
class NoTestCall extends Error {
  readonly faults: FormFaults;
  constructor(faults: FormFaults) {
    super('a test call was refused');
    this.faults = faults;
  }
}

export const testCallForm = (fields: FormFields): TestCallForm => ({
  merchant: fields.merchant ?? '',
  script: fields.script ?? '',
  card: fields.card ?? '',
  amount: fields.amount ?? '',
});

/**
 * Has the scripted caller dial a new checkout of the chosen merchant. If the form was submitted before, returns its
 * call (`isNew` false).
 * @throws DashboardFault in live mode, or if the user's role may not create checkouts
 */
export async function placeTestCall(
  visit: Visit,
  { testCalls, processors }: { testCalls: TestCalls; processors: readonly TriedProcessor[] },
  form: TestCallForm,
): Promise<{ call: TestCall; isNew: boolean } | { faults: FormFaults }> {
  if (visit.mode !== 'test') throw new DashboardFault('refused', tryWords().onlyInTest, { isOwn: true });
  requireCallerRole(visit);
  const w = tryWords().faults;
  const script = findScript(form.script);
  if (script === null) return { faults: { script: w.script } };
  const merchant = await readMerchant(visit, form.merchant);
  if (merchant === null) return { faults: { merchant: w.merchant } };
  const { offersBankAccount = false, checkout = 'payment' } = script;
  const vendor = vendorOf(processors, merchant);
  const keys = vendor === null ? sandboxKeys(script, form.card) : vendorKeys(vendor, script, form, merchant);
  if ('faults' in keys) return keys;
  const amountCents = checkout === 'save_card' ? 0 : parseAmount(form.amount, merchant.currency);
  if (amountCents === null) return { faults: { amount: amountFault(merchant.currency) } };
  const order = {
    accountId: visit.user.accountId,
    script: form.script,
    ...keys,
    caller: script.caller ?? TEST_CALLER,
    onceKey: onceKey(visit.user.userId, visit.attempt, form),
  };
  let isNew = false;
  try {
    const call = await testCalls.place(order, (returnTo) => {
      isNew = true;
      const { caller } = order;
      return createTestCheckout(visit, merchant, {
        amountCents: (vendor && declinedAmount(vendor, form.script)) ?? amountCents,
        caller,
        returnTo,
        offersBankAccount,
        checkout,
      });
    });
    return typeof call === 'string' ? { faults: { form: w.refused[call] } } : { call, isNew };
  } catch (error) {
    if (error instanceof NoTestCall) return { faults: error.faults };
    throw error;
  }
}

const EXAMPLE_CENTS = 4_250;

/** The request that creates the form's checkout, with an example in place of an invalid amount. */
export function checkoutQuestion(
  form: TestCallForm,
  merchants: readonly Pick<Merchant, 'id' | 'currency'>[],
): ApiQuestion {
  const script = findScript(form.script);
  const currency = merchants.find(({ id }) => id === form.merchant)?.currency ?? 'USD';
  const amountCents = parseAmount(form.amount, currency) ?? EXAMPLE_CENTS;
  return {
    method: 'POST',
    path: '/v1/create_checkout',
    body: {
      merchant_id: form.merchant,
      ...purposeOf({ checkout: script?.checkout ?? 'payment', amountCents }),
      caller_phone: script?.caller ?? TEST_CALLER,
      ...(script?.offersBankAccount === true && BANK_ACCOUNT),
    },
  };
}

/** Roles that may create checkouts may also place and hang up test calls. @throws DashboardFault */
export function requireCallerRole({ user }: Visit): void {
  if (!roleCovers(user.role, 'developer')) throw new DashboardFault('forbidden');
}

/** What the caller enters instead of the script's own digits. */
type Keys = Pick<TestCallOrder, 'card' | 'enters'> | { faults: FormFaults };

function sandboxKeys({ takesCard }: TestScript, name: string): Keys {
  const card = cardNumber(name);
  if (card === undefined) return { faults: { card: tryWords().faults.sandboxCard } };
  return { card: takesCard ? card : null };
}

function vendorKeys(vendor: TriedProcessor, script: TestScript, form: TestCallForm, merchant: MerchantResource): Keys {
  const limit = scriptLimit(vendor, form.script, script, merchant);
  const w = tryWords().faults;
  if (limit !== null) return { faults: { script: w.notAt(vendorTitle(vendor), limit) } };
  const enters = enteredAt(vendor, form.card, form.script);
  return enters === undefined ? { faults: { card: w.vendorCard(vendorTitle(vendor)) } } : { card: null, enters };
}

/** The number of a test card by its name. Null for an empty name, undefined for an unknown one. */
function cardNumber(name: string): string | null | undefined {
  return name === '' ? null : TEST_CARDS.find((card) => card.name === name)?.number;
}

const amountFault = (currency: string) => tryWords().faults.amount(exampleTyped(currency), typedAmount(1, currency));

async function readMerchant(visit: Visit, id: string): Promise<MerchantResource | null> {
  if (id === '') return null;
  const answer = await visit.tryAsk<MerchantResource>({ path: `/v1/merchants/${encodeURIComponent(id)}` });
  if (answer.ok) return answer.body;
  const fault = faultOfStatus(answer.status);
  if (fault === 'not_found' || fault === 'refused') return null;
  throw new DashboardFault(fault);
}

interface CheckoutRequest {
  amountCents: number;
  caller: string;
  returnTo: string | null;
  offersBankAccount: boolean;
  checkout: 'payment' | 'hold' | 'save_card';
}

/** The account's owner, as the line says it. */
const PAYER = 'Ada Lovelace';
const BANK_ACCOUNT = { payment_methods: ['card', 'us_bank_account'], payer_name: PAYER };

/** The amount, and whether it is held; or that a card is only saved. */
export function purposeOf({ checkout, amountCents }: Pick<CheckoutRequest, 'checkout' | 'amountCents'>): object {
  if (checkout === 'save_card') return SAVE_CARD;
  return { amount_cents: amountCents, ...(checkout === 'hold' && { capture: 'manual' }) };
}

const SAVE_CARD = {
  purpose: 'save_card',
  save_terms: 'merchant_initiated',
  save_sentence: 'May we save this card, and charge up to 50 dollars if you do not come?',
  save_max_amount_cents: 5_000,
};

/** Omits `return_to` if the account does not allow calls to this machine. @throws NoTestCall */
async function createTestCheckout(
  visit: Visit,
  merchant: MerchantResource,
  wanted: CheckoutRequest,
): Promise<TestCheckout> {
  const answer = await visit.tryAsk<CreateCheckoutResponse>({
    method: 'POST',
    path: '/v1/create_checkout',
    body: {
      merchant_id: merchant.merchant_id,
      ...purposeOf(wanted),
      caller_phone: wanted.caller,
      platform_call_id: `test-call-${Date.now()}`,
      ...(wanted.offersBankAccount && BANK_ACCOUNT),
      ...(wanted.returnTo !== null && { return_to: wanted.returnTo }),
    },
  });
  if (!answer.ok) {
    if (answer.error.param === 'return_to' && wanted.returnTo !== null) {
      return createTestCheckout(visit, merchant, { ...wanted, returnTo: null });
    }
    if (answer.status >= 500 || answer.status === 403) throw new DashboardFault(faultOfStatus(answer.status));
    throw new NoTestCall({ form: answer.error.message });
  }
  const { body } = answer;
  if (body.transfer_to === null) throw new NoTestCall({ amount: noTransfer(merchant, body.agent_message) });
  return {
    transferTo: body.transfer_to,
    sessionId: body.checkout_session_id,
    merchantId: merchant.merchant_id,
    businessName: merchant.business_name,
    amountCents: body.amount_cents,
    currency: body.currency,
    agentMessage: body.agent_message,
    returnTo: wanted.returnTo,
  };
}

const noTransfer = ({ business_name: name, payment_policy: policy }: MerchantResource, line: string) =>
  tryWords().faults.noTransfer(name, policy, line);
