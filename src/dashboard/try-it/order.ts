/** The form of a test call: what is chosen, what is wrong with it, and the checkout that the caller dials. */
import type { CreateCheckoutResponse } from '../../api/routes/create-checkout.ts';
import type { MerchantResource } from '../../contract/merchants.ts';
import { roleCovers } from '../../domain/user.ts';
import { TEST_CARDS } from '../../payments/sandbox/cards.ts';
import { onceKey } from '../attempts.ts';
import { DashboardFault, faultOfStatus } from '../faults.ts';
import type { FormFields } from '../page-routes.ts';
import type { Visit } from '../visit.ts';
import type { TestCall, TestCallRefusal, TestCalls, TestCheckout } from './ports.ts';
import { findScript, TEST_CALLER } from './scripts.ts';

/** As it was sent, for the form that is shown again. */
export interface TestCallForm {
  merchant: string;
  script: string;
  /** Name of a test card; empty: the script's own. */
  card: string;
  /** In major units, as in 42.50. */
  amount: string;
}

/** What is wrong with the form, by field; `form` of all of it. */
export type FormFaults = Partial<Record<keyof TestCallForm | 'form', string>>;

export const FIRST_CHOICE: TestCallForm = { merchant: '', script: 'pay', card: '', amount: '42.50' };

const AMOUNT = /^\s*(\d{1,6})(?:[.,](\d{1,2}))?\s*$/;
const REFUSED: Record<TestCallRefusal, string> = {
  busy: 'Two test calls are running already. Wait until one of them is over, or have its caller hang up.',
  unavailable:
    'The caller could not be started. Try again in a moment; if it stays so, the log of the service says why.',
};

/** Thrown from inside {@link TestCalls.place}: there is no call, for what is told. */
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
 * Has the caller dial a new checkout of the chosen merchant; of a form that was sent before, the call that is there (`isNew` false).
 * @throws DashboardFault where the user's role makes no checkouts, and in live mode
 */
export async function placeTestCall(
  visit: Visit,
  testCalls: TestCalls,
  form: TestCallForm,
): Promise<{ call: TestCall; isNew: boolean } | { faults: FormFaults }> {
  if (visit.mode !== 'test') throw new DashboardFault('refused', 'Test calls are of test mode.');
  requireCallerRole(visit);
  const [script, card, amountCents] = [findScript(form.script), cardNumber(form.card), centsIn(form.amount)];
  if (script === null) return { faults: { script: 'Choose what the caller does.' } };
  if (card === undefined) return { faults: { card: 'Choose one of the test cards.' } };
  if (amountCents === null) return { faults: { amount: 'An amount such as 42.50, at least 0.01.' } };
  const merchant = await readMerchant(visit, form.merchant);
  if (merchant === null) return { faults: { merchant: 'Choose one of the merchants.' } };
  const order = {
    accountId: visit.user.accountId,
    script: form.script,
    card: script.takesCard ? card : null,
    caller: script.caller ?? TEST_CALLER,
    onceKey: onceKey(visit.user.userId, visit.attempt, form),
  };
  let isNew = false;
  try {
    const call = await testCalls.place(order, (returnTo) => {
      isNew = true;
      return createTestCheckout(visit, merchant, { amountCents, caller: order.caller, returnTo });
    });
    return typeof call === 'string' ? { faults: { form: REFUSED[call] } } : { call, isNew };
  } catch (error) {
    if (error instanceof NoTestCall) return { faults: error.faults };
    throw error;
  }
}

/** Whoever makes checkouts also has the caller of a test call dial and hang up. @throws DashboardFault */
export function requireCallerRole({ user }: Visit): void {
  if (!roleCovers(user.role, 'developer')) throw new DashboardFault('forbidden');
}

/** The number of a test card by its name; null for none, undefined where there is no such card. */
function cardNumber(name: string): string | null | undefined {
  return name === '' ? null : TEST_CARDS.find((card) => card.name === name)?.number;
}

/** Minor units; null for what is no amount. All our currencies have two decimal places. */
function centsIn(text: string): number | null {
  const [, whole, part = ''] = AMOUNT.exec(text) ?? [];
  const cents = whole === undefined ? 0 : Number(whole) * 100 + Number(part.padEnd(2, '0'));
  return cents > 0 ? cents : null;
}

async function readMerchant(visit: Visit, id: string): Promise<MerchantResource | null> {
  if (id === '') return null;
  const answer = await visit.tryAsk<MerchantResource>({ path: `/v1/merchants/${encodeURIComponent(id)}` });
  if (answer.ok) return answer.body;
  const fault = faultOfStatus(answer.status);
  if (fault === 'not_found' || fault === 'refused') return null;
  throw new DashboardFault(fault);
}

interface CheckoutWish {
  amountCents: number;
  caller: string;
  returnTo: string | null;
}

/** Without `return_to` where the account sends no calls to this machine. @throws NoTestCall */
async function createTestCheckout(visit: Visit, merchant: MerchantResource, wish: CheckoutWish): Promise<TestCheckout> {
  const answer = await visit.tryAsk<CreateCheckoutResponse>({
    ...{ method: 'POST', path: '/v1/create_checkout' },
    body: {
      merchant_id: merchant.merchant_id,
      amount_cents: wish.amountCents,
      caller_phone: wish.caller,
      platform_call_id: `test-call-${Date.now()}`,
      ...(wish.returnTo !== null && { return_to: wish.returnTo }),
    },
  });
  if (!answer.ok) {
    if (answer.error.param === 'return_to' && wish.returnTo !== null) {
      return createTestCheckout(visit, merchant, { ...wish, returnTo: null });
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
    returnTo: wish.returnTo,
  };
}

const noTransfer = ({ business_name: name, payment_policy: policy }: MerchantResource, line: string) =>
  `${name} requires no payment for this amount (its policy is “${policy}”), so there is no call to transfer. The agent says: “${line}”`;
