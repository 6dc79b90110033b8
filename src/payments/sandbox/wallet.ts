/** The sandbox's saved cards and connections: nothing is kept, a handle says which documented card it is. */
import { z } from 'zod';
import { brandOf, lastFourOf } from '../../domain/card.ts';
import { Secret } from '../../domain/secret.ts';
import type { Sql } from '../../store/database.ts';
import { findSandboxCard } from '../../store/sandbox.ts';
import type { CardWallet, ConnectionCheck, Credentials, SavedCardAnswer } from '../ports.ts';
import { handleOf, TEST_CARDS, type TestCard, testCardByToken } from './cards.ts';

const SAVED_UNTIL = { expiryMonth: 12, expiryYear: 2049 };

/** Wants none, and takes any. */
export const SANDBOX_CREDENTIALS = z.record(z.string(), z.string());

export function sandboxWallet(sql: Sql): CardWallet {
  return {
    save: async ({ token }) => saved(testCardByToken(token)),
    async saveCharged({ processorPaymentId }) {
      try {
        const name = await findSandboxCard(sql, processorPaymentId);
        return saved(TEST_CARDS.find((card) => card.name === name) ?? null);
      } catch {
        // Its books are away; like any processor, it does not say more.
        return { status: 'unavailable' };
      }
    },
    forget: async () => ({ status: 'gone' }),
  };
}

function saved(card: TestCard | null): SavedCardAnswer {
  const number = card === null ? null : Secret.of(card.number);
  const brand = number === null ? null : brandOf(number);
  if (card === null || number === null || brand === null) return { status: 'refused' };
  return { status: 'saved', handle: handleOf(card), brand: brand.label, lastFour: lastFourOf(number), ...SAVED_UNTIL };
}

/** The sandbox believes any credentials but these two, which are there to be tried. */
export function checkSandbox({ api_key: apiKey }: Credentials): ConnectionCheck {
  if (apiKey?.reveal((text) => text === 'sandbox_invalid')) return { status: 'invalid' };
  if (apiKey?.reveal((text) => text === 'sandbox_not_provisioned')) return { status: 'not_provisioned' };
  return { status: 'ok' };
}
