/**
 * Sends the one request to Stripe that carries a card. The package creates the request's text with placeholders for the
 * digits. The digits go from their Secrets into a Buffer, which is sent and zeroed. A string could not be erased, and
 * the package and Node's `fetch` keep theirs for minutes.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type Stripe from 'stripe';
import { randomToken } from '../../domain/ids.ts';
import type { KeyedCard } from '../../flow/types.ts';
import { connectionFault, NoAnswer } from '../no-retry.ts';

type HttpClient = NonNullable<Stripe.StripeConfig['httpClient']>;
type Answer = Awaited<ReturnType<HttpClient['makeRequest']>>;

/**
 * Placeholders in the request's text for the parts of the card. They cannot be guessed, because the text also contains
 * an integrator's.
 */
export type CardPlaces = Readonly<Record<'number' | 'month' | 'year' | 'securityCode' | 'postalCode', string>>;

export function cardPlaces(): CardPlaces {
  const name = randomToken();
  const place = (part: string) => `place_${name}_${part}`;
  return {
    number: place('number'),
    month: place('month'),
    year: place('year'),
    securityCode: place('code'),
    postalCode: place('postal'),
  };
}

const CENTURY = Buffer.from('20');
const ZERO = 0x30;

/**
 * The request's bytes with the card in them. The caller must zero them. Keypad characters need no escaping.
 * @param text sent unchanged if it has no placeholder
 */
function fillPlaces(text: string, places: CardPlaces, card: KeyedCard): Buffer {
  const [month, year] = [card.expiry.bytes(0, 2), card.expiry.bytes(2)];
  const parts: Record<keyof CardPlaces, readonly Buffer[]> = {
    number: [card.number.bytes()],
    month: [month[0] === ZERO ? month.subarray(1) : month],
    year: [CENTURY, year],
    securityCode: [card.securityCode.bytes()],
    postalCode: card.postalCode === null ? [] : [card.postalCode.bytes()],
  };
  const byPlace = new Map(Object.entries(places).map(([part, place]) => [place, parts[part as keyof CardPlaces]]));
  const pieces = text
    .split(/(place_[a-z0-9]{26}_[a-z]+)/)
    .flatMap((piece) => byPlace.get(piece) ?? [Buffer.from(piece)]);
  const filled = Buffer.alloc(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(filled, at);
  return filled;
}

/** The HTTP client for one charge with a keyed card: its own connection, one request, no redirect, no retry. */
export function cardSender(places: CardPlaces, card: KeyedCard, signal: AbortSignal): HttpClient {
  return {
    getClientName: () => 'ringkey',
    async makeRequest(host, port, path, method, headers, text, protocol) {
      const body = fillPlaces(text, places, card);
      try {
        const own = Object.entries(headers).filter(([name]) => name.toLowerCase() !== 'content-length');
        const sent = { ...Object.fromEntries(own), 'Content-Length': body.length };
        return await send({ host, port, path, method, headers: sent, isPlain: protocol === 'http' }, body, signal);
      } finally {
        body.fill(0);
      }
    },
  };
}

interface Target {
  host: string;
  port: string;
  path: string;
  method: string;
  headers: Record<string, string | number | string[]>;
  isPlain: boolean;
}

/** @throws NoAnswer */
async function send({ isPlain, ...target }: Target, body: Buffer, signal: AbortSignal): Promise<Answer> {
  let isConnected = false;
  try {
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const request = (isPlain ? requestHttp : requestHttps)({ ...target, signal, agent: false }, resolve);
      request.once('socket', (socket) => {
        // Nothing is sent before this.
        socket.once(isPlain ? 'connect' : 'secureConnect', () => {
          isConnected = true;
        });
      });
      request.on('error', reject);
      request.end(body);
    });
    const text = await textOf(answer);
    return {
      getStatusCode: () => answer.statusCode ?? 0,
      getHeaders: () => answer.headers as Record<string, string>,
      getRawResponse: () => answer,
      toStream: () => answer,
      toJSON: async () => JSON.parse(text) as unknown,
    };
  } catch (error) {
    throw new NoAnswer(signal.aborted ? 'timeout' : connectionFault(error), { neverSent: !isConnected });
  }
}

async function textOf(answer: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
