/** The sandbox's saved cards and connections: nothing is kept, a handle says which documented card it is. */
import { z } from 'zod';
import { brandOf, lastFourOf } from '../../domain/card.ts';
import { Secret } from '../../domain/secret.ts';
import type { Sql } from '../../db/pool.ts';
import { findSandboxCard, type SandboxCard } from './books.ts';
import type { CardWallet, ConnectionCheck, Credentials, KeptCard } from '../ports.ts';
import { handleOf, TEST_CARDS, type TestCard, testCardByToken } from './cards.ts';

/** Of a card that was keyed on a page: its token says only which one it is. */
export const PAGE_EXPIRY = { expiryMonth: 12, expiryYear: 2049 };

/** Wants none, and takes any. */
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
        // Its books are away; like any processor, it does not say more.
        return { status: 'unavailable' };
      }
    },
    forget: async () => ({ status: 'gone' }),
  };
}

/** As the books have it. */
export function keptCard(booked: SandboxCard | null): KeptCard | null {
  const card = TEST_CARDS.find(({ name }) => name === booked?.name);
  return card === undefined || booked === null ? null : kept(card, booked);
}

function kept(card: TestCard, { expiryMonth, expiryYear }: Pick<KeptCard, 'expiryMonth' | 'expiryYear'>): KeptCard {
  const number = Secret.of(card.number);
  const brand = brandOf(number)?.label ?? 'UNKNOWN';
  const facts = { brand, lastFour: lastFourOf(number), expiryMonth, expiryYear };
  return { handle: handleOf(card), fingerprint: card.name, ...facts };
}

/** The sandbox believes any credentials but these two, which are there to be tried. */
export function checkSandbox({ api_key: apiKey }: Credentials): ConnectionCheck {
  if (apiKey?.reveal((text) => text === 'sandbox_invalid')) return { status: 'invalid' };
  if (apiKey?.reveal((text) => text === 'sandbox_not_provisioned')) return { status: 'not_provisioned' };
  return { status: 'ok' };
}
