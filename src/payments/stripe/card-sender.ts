/**
 * Sends the one request to Stripe that carries a card. The package creates the request's text with placeholders for the
 * digits, which are filled in when it is sent (card-request.ts).
 */
import type Stripe from 'stripe';
import type { KeyedCard } from '../../flow/effects.ts';
import { type CardPlaces, cardPartsWithNumbers, fillPlaces, sendOnce } from '../vendor-api/card-request.ts';

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>;

/** The HTTP client for one charge with a keyed card: its own connection, one request, no redirect, no retry. */
export function cardSender(places: CardPlaces, card: KeyedCard, signal: AbortSignal): HttpClient {
  return {
    getClientName: () => 'ringkey',
    async makeRequest(host, port, path, method, headers, text, protocol) {
      const body = fillPlaces(text, places, cardPartsWithNumbers(card));
      try {
        const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
        const sent = { ...Object.fromEntries(own), 'Content-Length': body.length };
        const target = { host, port, path, method, headers: sent, isPlain: protocol === 'http' };
        const { answer, text: answered } = await sendOnce(target, body, signal);
        return {
          getStatusCode: () => answer.statusCode ?? 0,
          getHeaders: () => answer.headers as Record<string, string>,
          getRawResponse: () => answer,
          toStream: () => answer,
          toJSON: async () => JSON.parse(answered) as unknown,
        };
      } finally {
        body.fill(0);
      }
    },
  };
}
