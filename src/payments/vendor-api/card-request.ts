/**
 * Sends a request that carries a keyed card. Its text has placeholders for the digits. The digits go from their Secrets
 * into a Buffer, which is sent and zeroed. A string could not be erased, and Node's `fetch` keeps its strings for minutes.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { randomToken } from '../../domain/ids.ts';
import type { KeyedCard } from '../../flow/effects.ts';
import { connectionFault, NoAnswer } from './no-retry.ts';

type Part = 'number' | 'month' | 'year' | 'securityCode' | 'postalCode';

/**
 * Placeholders in the request's text for the parts of the card. They cannot be guessed, because the text also contains
 * an integrator's.
 */
export type CardPlaces = Readonly<Record<Part, string>>;

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

/** The bytes of a card's parts: the month and the year have two digits each. */
export function cardParts({ number, expiry, securityCode, postalCode }: KeyedCard): Record<Part, readonly Buffer[]> {
  return {
    number: [number.bytes()],
    month: [expiry.bytes(0, 2)],
    year: [expiry.bytes(2)],
    securityCode: [securityCode.bytes()],
    postalCode: postalCode === null ? [] : [postalCode.bytes()],
  };
}

const CENTURY = Buffer.from('20');
const ZERO = 0x30;

/** The same with the date as numbers: the month without a leading zero, the year with four digits. */
export function cardPartsWithNumbers(card: KeyedCard): Record<Part, readonly Buffer[]> {
  const month = card.expiry.bytes(0, 2);
  return {
    ...cardParts(card),
    month: [month[0] === ZERO ? month.subarray(1) : month],
    year: [CENTURY, card.expiry.bytes(2)],
  };
}

/**
 * The request's bytes with the card or account in them. The caller must zero them. Keypad characters need no escaping.
 * @param text sent unchanged if it has no placeholder
 */
export function fillPlaces<Name extends string>(
  text: string,
  places: Readonly<Record<Name, string>>,
  parts: Readonly<Record<Name, readonly Buffer[]>>,
): Buffer {
  const byPlace = new Map(Object.entries<string>(places).map(([part, place]) => [place, parts[part as Name]]));
  const pieces = text
    .split(/(place_[a-z0-9]{26}_[a-z]+)/)
    .flatMap((piece) => byPlace.get(piece) ?? [Buffer.from(piece)]);
  const filled = Buffer.alloc(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) at += piece.copy(filled, at);
  return filled;
}

interface Target {
  host: string;
  port: string | number;
  path: string;
  method: string;
  headers: Record<string, string | number | string[]>;
  isPlain: boolean;
  /** By default, the system's. */
  lookup?: LookupFunction;
  /** By default, {@link MAX_ANSWER_BYTES}. */
  maxAnswerBytes?: number;
}

interface SentAnswer {
  answer: IncomingMessage;
  text: string;
}

/** Longer than any list of a vendor. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

/**
 * Sends one request on its own connection, without redirects or retries.
 * @param body the caller zeroes it
 * @throws NoAnswer
 */
export async function sendOnce(
  { isPlain, maxAnswerBytes = MAX_ANSWER_BYTES, ...target }: Target,
  body: Buffer,
  signal: AbortSignal,
): Promise<SentAnswer> {
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
      // After an answer that changes the protocol (101), there is neither a response nor an error.
      request.once('close', () => reject(new Error('the connection was closed')));
      request.end(body);
    });
    return { answer, text: await textOf(answer, maxAnswerBytes) };
  } catch (error) {
    throw new NoAnswer(signal.aborted ? 'timeout' : connectionFault(error), { neverSent: !isConnected });
  }
}

async function textOf(answer: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size > maxBytes) throw new Error('the answer is too long');
  }
  return Buffer.concat(chunks).toString('utf8');
}
