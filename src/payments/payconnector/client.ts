/** Requests to a pay connector: JSON over HTTPS with HTTP Basic authentication, to a public address. */
import { z } from 'zod';
import type { KeyedCard } from '../../flow/effects.ts';
import { hostOf, publicLookup } from '../../lib/http-client/public-addresses.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import { type CardPlaces, cardParts, fillPlaces, sendOnce } from '../vendor-api/card-request.ts';
import { revealCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { type ConnectorCredentials, type ConnectorOptions, connectorCredentials } from './credentials.ts';

/** 401: "the request has not been applied because it lacks valid authentication credentials" (RFC 9110, 15.5.2). */
export class LoginRejected extends Error {
  constructor() {
    super('the pay connector rejected the login');
    this.name = 'LoginRejected';
  }
}

interface ConnectorAnswer {
  status: number;
  text: string;
  headers: Headers;
}

export interface Connector {
  readonly urls: ConnectorCredentials;
  /** @throws NoAnswer, LoginRejected */
  post(body: object, card: KeyedCard, places: CardPlaces): Promise<ConnectorAnswer>;
  /** @throws NoAnswer, LoginRejected */
  get(url: URL): Promise<ConnectorAnswer>;
}

/** The server is the merchant's. A long answer would keep this process busy, which serves others, too. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** Opens a connector for one call. @throws UnusableCredentials */
export type OpenConnector = (access: ProcessorAccess, signal: AbortSignal) => Promise<Connector>;

export function connectors(options: ConnectorOptions): OpenConnector {
  return async ({ credentials }, signal) => {
    const urls = revealCredentials(connectorCredentials(options), credentials);
    const login = Buffer.from(`${urls.username}:${urls.password}`).toString('base64');
    const send = async (url: URL, method: 'GET' | 'POST', body: Buffer): Promise<ConnectorAnswer> => {
      const isPlain = url.protocol === 'http:';
      const sent = await sendOnce(
        {
          host: hostOf(url),
          port: url.port || (isPlain ? 80 : 443),
          path: `${url.pathname}${url.search}`,
          method,
          headers: headersOf(login, body),
          isPlain,
          maxAnswerBytes: MAX_ANSWER_BYTES,
          ...(options.privateTargets !== true && { lookup: publicLookup }),
        },
        body,
        signal,
      );
      const status = sent.answer.statusCode ?? 0;
      if (status === 401) throw new LoginRejected();
      return { status, text: sent.text, headers: new Headers({ date: sent.answer.headers.date ?? '' }) };
    };
    return {
      urls,
      get: (url) => send(url, 'GET', Buffer.alloc(0)),
      async post(body, card, places) {
        const bytes = fillPlaces(JSON.stringify(body), places, cardParts(card));
        try {
          return await send(new URL(urls.url), 'POST', bytes);
        } finally {
          bytes.fill(0);
        }
      },
    };
  };
}

const headersOf = (login: string, body: Buffer) => ({
  Authorization: `Basic ${login}`,
  Accept: 'application/json',
  ...(body.length > 0 && { 'Content-Type': 'application/json', 'Content-Length': body.length }),
});

/** @throws NoAnswer if it is not a 200 with this content */
export function contentOf<T>(schema: z.ZodType<T>, { status, text }: ConnectorAnswer): T {
  if (status !== 200) throw new NoAnswer(`http_${status}`);
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new NoAnswer('unreadable');
  }
}

/** A text or a number; others count as missing. */
export const word = z
  .union([z.string(), z.number()])
  .transform(String)
  .nullish()
  .transform((text) => (text == null || text === '' ? null : text));
