/** Stripe on the pay page: requests for a present payer, 3-D Secure with all kinds of failures, and wallets. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../../src/domain/ids.ts';
import type { ActionRequest, CardActions, ChargeRequest, PayableCard } from '../../../src/payments/port/charges.ts';
import { secretCredentials } from '../../../src/payments/port/credentials.ts';
import { type FakeStripe, startFakeStripe } from '../../support/fake-stripe.ts';
import { ASKS } from '../../support/fake-stripe-cards.ts';
import type { VendorReply } from '../../support/fake-vendor-server.ts';
import { requestTimeout } from '../../support/request-timeout.ts';
import { STRIPE_CREDENTIALS, stripeProcessorAt } from '../../support/vendor-processors.ts';
import { keyedCard } from './test-payments.ts';

const GOOD = '4242424242424242';

describe('stripe on the page', () => {
  let fakeStripe: FakeStripe;
  let actions: CardActions;
  beforeAll(async () => {
    fakeStripe = await startFakeStripe();
    actions = actionsAt(fakeStripe);
  });
  afterAll(() => fakeStripe.close());
  afterEach(() => expect(fakeStripe.violations).toEqual([]));

  function actionsAt(stripe: FakeStripe): CardActions {
    const found = stripeProcessorAt(stripe).actions;
    if (found === null) throw new Error('it asks payers');
    return found;
  }

  const requestFor = (card: PayableCard, overrides: Partial<ChargeRequest> = {}): ChargeRequest => ({
    chargeId: newId('Charge'),
    sessionId: newId('CheckoutSession'),
    accountId: newId('Account'),
    mode: 'test',
    amount: { amountCents: 1_234, currency: 'EUR' },
    card,
    orderId: null,
    keepsCard: false,
    channel: 'page',
    credentials: secretCredentials(STRIPE_CREDENTIALS),
    ...overrides,
  });
  const token = (number = GOOD, wallet?: string): PayableCard => ({
    kind: 'token',
    token: fakeStripe.token('ctoken', number, wallet),
  });
  const charge = (request: ChargeRequest) => stripeProcessorAt(fakeStripe).charge(request, requestTimeout());
  const paramsOf = (key: string) =>
    fakeStripe.requests
      .filter(({ headers }) => headers['idempotency-key'] === key)
      .map(({ path, body }) => ({ path, ...Object.fromEntries(new URLSearchParams(body)) }));

  async function waiting(overrides: Partial<ChargeRequest> = {}): Promise<ActionRequest> {
    const request = requestFor(token(ASKS), overrides);
    const answer = await charge(request);
    if (answer.status !== 'action_required') throw new Error(answer.status);
    const { chargeId, mode, credentials } = request;
    return { chargeId, mode, credentials, processorPaymentId: answer.processorPaymentId };
  }

  const intentOf = ({ processorPaymentId }: ActionRequest) => {
    const intent = fakeStripe.intents.get(processorPaymentId);
    if (intent === undefined) throw new Error('no intent');
    return intent;
  };

  it('creates an intent that only our server confirms, and gives the page its client secret', async () => {
    const request = requestFor(token(ASKS));
    const answer = await charge(request);
    const [params] = paramsOf(request.chargeId);
    expect(params).toMatchObject({ confirm: 'true', confirmation_method: 'manual', use_stripe_sdk: 'true' });
    expect(params).toHaveProperty('confirmation_token', expect.stringMatching(/^ctoken_/));
    expect(params).not.toHaveProperty('error_on_requires_action');
    expect(answer).toMatchObject({ action: { kind: 'stripe', clientSecret: expect.stringMatching(/^pi_.*_secret_/) } });
  });

  it('charges a saved card of a present payer, and never a keyed one', async () => {
    const saved = requestFor({ kind: 'saved', handle: fakeStripe.savedCard(GOOD) });
    expect(await charge(saved)).toMatchObject({ status: 'succeeded' });
    const [params] = paramsOf(saved.chargeId);
    expect(params).toMatchObject({ confirmation_method: 'manual', use_stripe_sdk: 'true' });
    expect(params).not.toHaveProperty('off_session');
    const keyed = requestFor(keyedCard('visa'));
    expect(await charge(keyed)).toEqual({ status: 'refused', processorCode: 'keypad_unsupported' });
    expect(paramsOf(keyed.chargeId)).toEqual([]);
  });

  it('confirms once, under the charge’s key', async () => {
    const action = await waiting();
    fakeStripe.endDialog(action.chargeId, 'done');
    await actions.confirm(action, requestTimeout());
    await actions.confirm(action, requestTimeout());
    const path = `/v1/payment_intents/${action.processorPaymentId}/confirm`;
    expect(paramsOf(`${action.chargeId}-confirm`)).toEqual([
      { path, use_stripe_sdk: 'true', 'expand[0]': 'payment_method' },
    ]);
  });

  it('saves the card of a payer who agreed, once it is paid', async () => {
    const action = await waiting({ keepsCard: true });
    fakeStripe.endDialog(action.chargeId, 'done');
    expect(await actions.confirm(action, requestTimeout())).toMatchObject({
      status: 'succeeded',
      savedCard: { handle: expect.stringMatching(/^cus_\w+\/pm_\w+$/), lastFour: '3220' },
    });
  });

  it('asks the payer again if the bank does, and then confirms under another key', async () => {
    const action = await waiting();
    fakeStripe.endDialog(action.chargeId, 'done');
    // The bank asks again. Stripe answers the confirmation so, and stores this answer for the key.
    fakeStripe.asksAgain(action.chargeId);
    expect(await actions.confirm(action, requestTimeout())).toMatchObject({
      status: 'action_required',
      action: { kind: 'stripe' },
    });
    fakeStripe.endDialog(action.chargeId, 'done');
    expect(await actions.confirm(action, requestTimeout())).toMatchObject({ status: 'succeeded' });
    expect(paramsOf(`${action.chargeId}-confirm-2`)).toHaveLength(1);
  });

  it.each(['hang', 'reset', 'html_500', 'garbage'] as const)(
    'does not know what came of an order that met %s; asked again it does, and nothing is taken twice',
    async (fault) => {
      const action = await waiting();
      fakeStripe.endDialog(action.chargeId, 'done');
      const limit = new AbortController();
      const held = fakeStripe.holdNext();
      const answer = actions.confirm(action, AbortSignal.any([limit.signal, requestTimeout()]));
      await held.arrived;
      // The next request is the confirmation.
      fakeStripe.failNext(fault, () => fault === 'hang' && limit.abort());
      held.release();
      expect(await answer).toMatchObject({ status: 'unknown' });
      expect(await actions.confirm(action, requestTimeout())).toMatchObject({ status: 'succeeded' });
      expect(await actions.cancel(action, requestTimeout())).toMatchObject({ status: 'succeeded' });
      expect(fakeStripe.countPayments(action.chargeId)).toBe(1);
    },
  );

  it('confirms under the next key if Stripe stored an error for the previous one', async () => {
    const action = await waiting();
    fakeStripe.endDialog(action.chargeId, 'done');
    const broken = { status: 500, body: { error: { type: 'api_error' } } };
    // The next request but one is the confirmation.
    const confirmMeeting = async (reply: VendorReply) => {
      const held = fakeStripe.holdNext();
      const answer = actions.confirm(action, requestTimeout());
      await held.arrived;
      fakeStripe.answerNext(reply);
      held.release();
      return answer;
    };
    expect(await confirmMeeting(broken)).toEqual({ status: 'unknown', cause: 'http_500' });
    expect(paramsOf(`${action.chargeId}-confirm-2`)).toEqual([]);
    const replayed = { ...broken, headers: { 'idempotent-replayed': 'true' } };
    expect(await confirmMeeting(replayed)).toMatchObject({ status: 'succeeded' });
    expect(paramsOf(`${action.chargeId}-confirm`)).toHaveLength(2);
    expect(paramsOf(`${action.chargeId}-confirm-2`)).toHaveLength(1);
    expect(fakeStripe.countPayments(action.chargeId)).toBe(1);
  });

  it('does not confirm again if Stripe stored an error but has taken the money', async () => {
    const action = await waiting();
    fakeStripe.endDialog(action.chargeId, 'done');
    const held = fakeStripe.holdNext();
    const answer = actions.confirm(action, requestTimeout());
    await held.arrived;
    fakeStripe.answerNext({
      status: 500,
      body: { error: { type: 'api_error' } },
      headers: { 'idempotent-replayed': 'true' },
    });
    held.release();
    intentOf(action).status = 'processing';
    expect(await answer).toEqual({ status: 'unknown', cause: 'processing' });
    expect(paramsOf(`${action.chargeId}-confirm-2`)).toEqual([]);
  });

  it('cancels a payment that could not be canceled before', async () => {
    const action = await waiting();
    const intent = intentOf(action);
    intent.status = 'processing';
    expect(await actions.cancel(action, requestTimeout())).toMatchObject({ status: 'unknown' });
    // The bank has asked again.
    intent.status = 'requires_action';
    expect(await actions.cancel(action, requestTimeout())).toMatchObject({ declineCode: 'authentication_required' });
  });

  it('confirms nothing if the payment cannot be read', async () => {
    const action = await waiting();
    fakeStripe.endDialog(action.chargeId, 'done');
    fakeStripe.failNext('html_500');
    expect(await actions.confirm(action, requestTimeout())).toEqual({ status: 'not_ordered', cause: 'no_json' });
    expect(intentOf(action).status).toBe('requires_confirmation');
    fakeStripe.failNext('reset');
    expect(await actions.read(action, requestTimeout())).toMatchObject({ status: 'unknown' });
    fakeStripe.failNext('reset');
    expect(await actions.cancel(action, requestTimeout())).toMatchObject({ status: 'unknown' });
    expect(await actions.cancel(action, requestTimeout())).toMatchObject({ declineCode: 'authentication_required' });
  });

  it('waits for a concurrent confirmation, and returns its answer', async () => {
    const action = await waiting();
    fakeStripe.endDialog(action.chargeId, 'done');
    const held = fakeStripe.holdNext();
    const answer = actions.confirm(action, requestTimeout());
    await held.arrived;
    fakeStripe.answerNext({ status: 409, body: { error: { type: 'idempotency_error', message: 'in use' } } });
    held.release();
    expect(await answer).toMatchObject({ status: 'succeeded' });
  });

  it('does not accept another payment’s answer', async () => {
    const [action, other] = [await waiting(), await waiting()];
    const mixedUp = { ...action, processorPaymentId: other.processorPaymentId };
    expect(await actions.read(mixedUp, requestTimeout())).toEqual({ status: 'unknown', cause: 'answer_to_another' });
  });

  it.each([
    ['apple_pay', 'apple_pay'],
    ['google_pay', 'google_pay'],
    ['link', null],
    [undefined, null],
  ])('says which wallet a payment came from: %s', async (type, wallet) => {
    const request = requestFor(token(GOOD, type));
    expect(await charge(request)).toMatchObject({ status: 'succeeded', wallet });
    const found = await stripeProcessorAt(fakeStripe).lookUp({ ...request, createdAt: new Date() }, requestTimeout());
    expect(found).toMatchObject({ status: 'succeeded', wallet });
  });

  it('never saves a wallet’s card, whatever the page reports', async () => {
    const paid = await charge(requestFor(token(GOOD, 'apple_pay'), { keepsCard: true }));
    expect(paid).toMatchObject({ status: 'succeeded', wallet: 'apple_pay' });
    expect(paid).not.toHaveProperty('savedCard');
  });

  it.each(['ctoken_of_another_account', 'pm_of_another_account', 'tok_of_another_account'])(
    'declines %s, which it does not know',
    async (unknown) => {
      expect(await charge(requestFor({ kind: 'token', token: unknown }))).toMatchObject({
        status: 'declined',
        declineCode: 'processing_error',
      });
    },
  );

  it('declines a token that was used before', async () => {
    const card = token();
    expect(await charge(requestFor(card))).toMatchObject({ status: 'succeeded' });
    const again = requestFor(card);
    expect(await charge(again)).toMatchObject({ status: 'declined', declineCode: 'processing_error' });
    expect(fakeStripe.countPayments(again.chargeId)).toBe(0);
  });
});
