/**
 * The sandbox's saved cards and credentials check. It stores no cards: a handle names one of the documented test cards.
 */
import { z } from 'zod';
import type { Sql } from '../../db/pool.ts';
import { brandOf, lastFourOf } from '../../domain/card.ts';
import { Secret } from '../../domain/secret.ts';
import type { ProcessorCard } from '../port/answers.ts';
import type { Credentials } from '../port/credentials.ts';
import type { ConnectionCheck } from '../port/processor.ts';
import type { CardWallet } from '../port/saved-cards.ts';
import { handleOf, TEST_CARDS, type TestCard, testCardByToken } from './cards.ts';
import { findSettledPayment, type SandboxPayment } from './ledger.ts';

/** The expiry of a token's card. The token only names the test card. */
export const PAGE_EXPIRY = { expiryMonth: 12, expiryYear: 2049 };

/** Needs no credentials, and accepts any. */
export const SANDBOX_CREDENTIALS = z.record(z.string(), z.string());

export function sandboxWallet(sql: Sql): CardWallet {
  return {
    async save({ token }) {
      const card = testCardByToken(token);
      return card === null ? { status: 'refused' } : { status: 'saved', ...processorCard(card, PAGE_EXPIRY) };
    },
    async saveCharged({ processorPaymentId }) {
      try {
        const payment = await findSettledPayment(sql, processorPaymentId);
        const card = payment === null ? null : savedCardOf(payment);
        return card === null ? { status: 'refused' } : { status: 'saved', ...card };
      } catch {
        // The database is unavailable. Like any processor, the sandbox says no more.
        return { status: 'unavailable' };
      }
    },
    forget: async () => ({ status: 'gone' }),
  };
}

/** The test card of a successful payment; null if it is not saved. */
export function savedCardOf({
  cardName,
  keptMonth: expiryMonth,
  keptYear: expiryYear,
}: SandboxPayment): ProcessorCard | null {
  const card = TEST_CARDS.find(({ name }) => name === cardName);
  if (card === undefined || expiryMonth === null || expiryYear === null) return null;
  return processorCard(card, { expiryMonth, expiryYear });
}

function processorCard(
  card: TestCard,
  { expiryMonth, expiryYear }: Pick<ProcessorCard, 'expiryMonth' | 'expiryYear'>,
): ProcessorCard {
  const { brand, lastFour } = factsOf(Secret.of(card.number));
  return {
    handle: handleOf(card),
    fingerprint: card.name,
    brand: brand ?? 'UNKNOWN',
    lastFour,
    expiryMonth,
    expiryYear,
  };
}

/** The card details that may be stored. */
export function factsOf(number: Secret) {
  return { brand: brandOf(number)?.label ?? null, lastFour: lastFourOf(number) };
}

/** The sandbox accepts all credentials except these two, with which integrators can try the errors. */
export function checkSandbox({ api_key: apiKey }: Credentials): ConnectionCheck {
  if (apiKey?.reveal((text) => text === 'sandbox_invalid')) return { status: 'invalid' };
  if (apiKey?.reveal((text) => text === 'sandbox_not_provisioned')) return { status: 'not_provisioned' };
  return { status: 'ok' };
}
