/**
 * Saved cards at Access Worldpay: tokens, created with the payment by `tokenCreation`, and deleted by the Tokens API
 * (docs.worldpay.com/access/products/tokens). A handle is the last part of the token's address. The token's ID has 19 digits, like a
 * card number, and is not kept. No query returns the token of a payment: if the answer was lost, the card is not saved.
 */
import { z } from 'zod';
import type { CardFacts, ProcessorCard } from '../port/answers.ts';
import type { CardWallet } from '../port/saved-cards.ts';
import { HttpError, type OpenWorldpay } from './client.ts';

export const TOKEN = z.object({
  href: z.string(),
  cardExpiry: z.object({ month: z.number(), year: z.number() }).nullish(),
});

const PATH = '/tokens/';

export const tokenHref = (base: URL, handle: string) => `${base.origin}${PATH}${handle}`;

export function savedCardOf({ href, cardExpiry }: z.infer<typeof TOKEN>, facts: CardFacts): ProcessorCard | null {
  const handle = href.split(PATH).at(-1) ?? '';
  if (cardExpiry == null || !/^[\w.:+=-]+$/.test(handle)) return null;
  const { month: expiryMonth, year: expiryYear } = cardExpiry;
  return { handle, fingerprint: null, ...facts, expiryMonth, expiryYear };
}

export function worldpayWallet(open: OpenWorldpay): CardWallet {
  return {
    // A session of the page can only be paid with, and a saved card is returned only with the charge.
    save: async () => ({ status: 'refused' }),
    saveCharged: async () => ({ status: 'refused' }),
    async forget({ handle, ...access }, signal) {
      try {
        const api = await open(access, signal);
        await api.ask('tokens', 'DELETE', `${PATH}${handle}`, z.unknown());
        return { status: 'gone' };
      } catch (error) {
        return { status: error instanceof HttpError && error.status === 404 ? 'gone' : 'unavailable' };
      }
    },
  };
}
