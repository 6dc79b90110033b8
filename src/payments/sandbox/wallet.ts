/** The sandbox's saved cards and credentials check. It stores no card: a handle names one of the documented test cards. */
import { z } from 'zod';
import { brandOf, lastFourOf } from '../../domain/card.ts';
import { Secret } from '../../domain/secret.ts';
import type { Sql } from '../../db/pool.ts';
import { findSandboxCard, type SandboxCard } from './ledger.ts';
import type { CardWallet, ConnectionCheck, Credentials, KeptCard } from '../ports.ts';
import { handleOf, TEST_CARDS, type TestCard, testCardByToken } from './cards.ts';

/** The expiry of a card that a token stands for: the token says only which test card it is. */
export const PAGE_EXPIRY = { expiryMonth: 12, expiryYear: 2049 };

/** Needs no credentials, and takes any. */
export const SANDBOX_CREDENTIALS = z.record(z.string(), z.string());

export function sandboxWallet(sql: Sql): CardWallet {
  return {
    async save({ token }) {
      const card = testCardByToken(token);
      return card === null ? { status: 'refused' } : { status: 'saved', ...kept(card, PAGE_EXPIRY) };
    },
    async saveCharged({ processorPaymentId }) {
      try {
        const card = keptCard(await findSandboxCard(sql, processorPaymentId));
        return card === null ? { status: 'refused' } : { status: 'saved', ...card };
      } catch {
        // The database is away. Like any processor, the sandbox does not say more.
        return { status: 'unavailable' };
      }
    },
    forget: async () => ({ status: 'gone' }),
  };
}

/** The test card that a payment's row names. */
export function keptCard(stored: SandboxCard | null): KeptCard | null {
  const card = TEST_CARDS.find(({ name }) => name === stored?.name);
  return card === undefined || stored === null ? null : kept(card, stored);
}

function kept(card: TestCard, { expiryMonth, expiryYear }: Pick<KeptCard, 'expiryMonth' | 'expiryYear'>): KeptCard {
  const number = Secret.of(card.number);
  const brand = brandOf(number)?.label ?? 'UNKNOWN';
  const facts = { brand, lastFour: lastFourOf(number), expiryMonth, expiryYear };
  return { handle: handleOf(card), fingerprint: card.name, ...facts };
}

/** The sandbox accepts any credentials but these two, which let an integrator try the errors. */
export function checkSandbox({ api_key: apiKey }: Credentials): ConnectionCheck {
  if (apiKey?.reveal((text) => text === 'sandbox_invalid')) return { status: 'invalid' };
  if (apiKey?.reveal((text) => text === 'sandbox_not_provisioned')) return { status: 'not_provisioned' };
  return { status: 'ok' };
}
