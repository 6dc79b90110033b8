/**
 * Sends the one request to Stripe that carries a card. The package creates the request's text with placeholders for the
 * digits, which are filled in when it is sent (card-request.ts).
 */
import type Stripe from 'stripe';
import type { KeyedCard } from '../../flow/types.ts';
import { type CardPlaces, cardParts, fillPlaces, sendOnce } from '../card-request.ts';

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>;

const CENTURY = Buffer.from('20');
const ZERO = 0x30;

/** Stripe's form: the month without a leading zero, the year with four digits. */
function stripeParts(card: KeyedCard) {
  const month = card.expiry.bytes(0, 2);
  return {
    ...cardParts(card),
    month: [month[0] === ZERO ? month.subarray(1) : month],
    year: [CENTURY, card.expiry.bytes(2)],
  };
}

/** The HTTP client for one charge with a keyed card: its own connection, one request, no redirect, no retry. */
export function cardSender(places: CardPlaces, card: KeyedCard, signal: AbortSignal): HttpClient {
  return {
    getClientName: () => 'ringkey',
    async makeRequest(host, port, path, method, headers, text, protocol) {
      const body = fillPlaces(text, places, stripeParts(card));
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
