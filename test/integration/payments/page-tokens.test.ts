/** Tokens and wallets of the pay page: which reports are trusted, and which tokens are not sent. */
import { describe, expect, it } from 'vitest';
import { chargesForTexts } from '../../../src/db/texts/texts.ts';
import type { CheckoutSessionId } from '../../../src/domain/ids.ts';
import type { CardConsent } from '../../../src/domain/instrument.ts';
import { type PaymentRequest, takePayment } from '../../../src/payments/charges/take-payment.ts';
import type { Processor } from '../../../src/payments/port/processor.ts';
import { createSandbox } from '../../../src/payments/sandbox/index.ts';
import type { PaymentCard } from '../../../src/payments/shared/card.ts';
import { useTestDatabase, useTestMerchant } from '../../support/fixtures.ts';
import { createTestSession } from '../../support/test-merchants.ts';
import { CONSENT, VAULT } from './card-saving.ts';
import {
  createTestPayments,
  FAST_SANDBOX,
  keyedCard,
  listSessionEvents,
  paymentRequest,
  readPaymentState,
  scriptedProcessor,
} from './test-payments.ts';

const db = useTestDatabase();
const merchant = useTestMerchant(db);

const VISA: PaymentCard = { kind: 'token', token: 'tok_visa' };

async function pay(
  card: PaymentCard,
  more: Partial<PaymentRequest> = {},
  processor: Processor = createSandbox(db.database, FAST_SANDBOX),
) {
  const sessionId = await createTestSession(db.database, merchant);
  const deps = createTestPayments(db.database, { processors: [processor], vault: VAULT });
  const result = await takePayment(deps, { ...paymentRequest(merchant, sessionId, card), source: 'page', ...more });
  return { sessionId, result };
}

describe('a wallet', () => {
  it('is in the charge, the event and the receipt, as the page reports it', async () => {
    const { sessionId, result } = await pay(VISA, { wallet: 'apple_pay' });
    if (result.type !== 'succeeded') throw new Error(result.type);
    expect(result.charge.wallet).toBe('apple_pay');
    for (const { facts } of await listSessionEvents(db.database, sessionId)) {
      expect(facts.charge).toMatchObject({ wallet: 'apple_pay' });
    }
    const [text] = await chargesForTexts(db.database, [result.charge.id]);
    expect(text).toMatchObject({ wallet: 'apple_pay' });
  });

  it('is not recorded if a card paid, whatever the page reports', async () => {
    const keyed = await pay(keyedCard('visa'), { wallet: 'apple_pay' });
    expect(keyed.result).toMatchObject({ type: 'succeeded', charge: { wallet: null } });
    expect((await pay(VISA)).result).toMatchObject({ type: 'succeeded', charge: { wallet: null } });
  });

  it.each(['google_pay', null] as const)('is %s if the processor says so', async (wallet) => {
    const sandbox = scriptedProcessor(db.database, async () => ({
      status: 'succeeded',
      processorPaymentId: 'p_1',
      card: { brand: 'VISA', lastFour: '4242' },
      wallet,
    }));
    const naming = { ...sandbox, can: { ...sandbox.can, namesWallets: true } };
    const { result } = await pay(VISA, { wallet: 'apple_pay' }, naming);
    expect(result).toMatchObject({ type: 'succeeded', charge: { wallet } });
  });

  it('is never saved as a card', async () => {
    const consent: CardConsent = { ...CONSENT, channel: 'page' };
    expect((await pay(VISA, { consent })).result).toMatchObject({ type: 'succeeded', cardSaved: true });
    const { result, sessionId } = await pay(VISA, { consent, wallet: 'google_pay' });
    expect(result).toMatchObject({ type: 'succeeded', cardSaved: false });
    expect(await consentsOf(sessionId)).toBe(0);
  });
});

async function consentsOf(sessionId: CheckoutSessionId): Promise<number> {
  const text = 'select 1 from card_consents n join charges c on c.id = n.charge_id where c.session_id = $1';
  return (await db.database.query(text, [sessionId])).rowCount ?? 0;
}

describe('a token', () => {
  it.each([
    ['10 KB long', `tok_${'x'.repeat(10_000)}`],
    ['empty', ''],
    ['of another processor', 'cnon:CBASEF667Xdo69NiVEeuHo_Hj3Q'],
    ['with a line break', 'tok_visa\n'],
    ['with a zero byte', 'tok_\u0000visa'],
    ['a card number', '4242424242424242'],
  ])('is not sent if it is %s', async (_, token) => {
    const processor = scriptedProcessor(db.database, async () => {
      throw new Error('asked');
    });
    const { result, sessionId } = await pay({ kind: 'token', token }, {}, processor);
    expect(result).toMatchObject({ type: 'refused', reason: 'token_unusable', charge: null });
    expect(processor.requests).toBe(0);
    expect(await readPaymentState(db.database, sessionId)).toMatchObject({ charges: [] });
  });

  it('is declined if it is unknown, and another card can be tried', async () => {
    const { result } = await pay({ kind: 'token', token: 'tok_made_up' });
    expect(result).toMatchObject({ type: 'declined' });
  });
});

describe('a card typed into our own fields', () => {
  it('is accepted by the sandbox only', async () => {
    expect((await pay(keyedCard('visa'))).result).toMatchObject({ type: 'succeeded', charge: { source: 'page' } });
    const sandbox = createSandbox(db.database, FAST_SANDBOX);
    const real = { ...sandbox, can: { ...sandbox.can, pageKeypad: false } };
    expect((await pay(keyedCard('visa'), {}, real)).result).toMatchObject({
      type: 'refused',
      reason: 'merchant_not_connected',
    });
  });
});
