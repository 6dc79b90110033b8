/**
 * The JSON form of Authorize.net's API: one address, one request object whose name is the operation
 * (developer.authorize.net/api/reference). It is translated to XML there, so the order of an object's members is fixed
 * by the schema (api.authorize.net/xml/v1/schema/AnetApiSchema.xsd). Responses begin with a byte order mark.
 */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import { fillPlaces, sendOnce } from '../vendor-api/card-request.ts';
import { revealCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { authorizeNetCredentials } from './credentials.ts';

/** By mode. Tests pass the address of a fake server. */
export type AuthorizeNetUrls = Readonly<Record<Mode, string>>;

export const AUTHORIZE_NET_URLS: AuthorizeNetUrls = {
  test: 'https://apitest.authorize.net',
  live: 'https://api.authorize.net',
};

const PATH = '/xml/v1/request.api';

/** A request was rejected as a whole (`messages.resultCode`). */
export class RequestRejected extends Error {
  readonly code: string;

  constructor(code: string) {
    super('Authorize.net rejected the request');
    this.name = 'RequestRejected';
    this.code = code;
  }
}

const MESSAGE = z.object({ code: z.string() });
const ENVELOPE = z.object({
  refId: z.string().optional(),
  messages: z.object({
    resultCode: z.enum(['Ok', 'Error']),
    message: z.union([z.array(MESSAGE), MESSAGE.transform((message) => [message])]),
  }),
});

interface KeyedDigits {
  places: Readonly<Record<string, string>>;
  parts: Readonly<Record<string, readonly Buffer[]>>;
}

interface Asked {
  /** The members of the request after `merchantAuthentication`, in the schema's order. */
  body: object;
  /** Returned in the response. At most 20 characters. */
  refId?: string;
  /** The digits of the card or account that the request carries, and their placeholders, by name. */
  keyed?: KeyedDigits | undefined;
  onAnswer?: ((answer: Pick<Response, 'headers'>) => void) | undefined;
}

/** Sends requests with one merchant's credentials. */
export interface AuthorizeNet {
  /**
   * @param name the operation, e.g. `getTransactionDetails`
   * @param schema of the response's members beside `messages`
   * @throws RequestRejected, NoAnswer
   */
  ask<T>(name: string, schema: z.ZodType<T>, asked: Asked): Promise<T>;
  /** Like `ask`, for responses whose `Error` has the details of a transaction. */
  askTransaction<T>(schema: z.ZodType<T>, asked: Asked): Promise<{ code: string | null; answer: T | null }>;
}

/** Opens a client for one call. @throws UnusableCredentials */
export type OpenAuthorizeNet = (access: ProcessorAccess, signal: AbortSignal) => Promise<AuthorizeNet>;

export function authorizeNetAt(urls: AuthorizeNetUrls): OpenAuthorizeNet {
  return async ({ mode, credentials }, signal) => {
    const { api_login_id: name, transaction_key: transactionKey } = revealCredentials(
      authorizeNetCredentials(),
      credentials,
    );
    const send = async (operation: string, { body, refId, keyed, onAnswer }: Asked) => {
      const request = {
        merchantAuthentication: { name, transactionKey },
        ...(refId !== undefined && { refId }),
        ...body,
      };
      const text = await post(urls[mode], JSON.stringify({ [`${operation}Request`]: request }), {
        keyed,
        onAnswer,
        signal,
      });
      return envelopeOf(text, refId);
    };
    return {
      async ask(operation, schema, asked) {
        const { code, answer } = await send(operation, asked);
        if (code !== null) throw new RequestRejected(code);
        return parsed(schema, answer);
      },
      async askTransaction(schema, asked) {
        const { code, answer } = await send('createTransaction', asked);
        const { success, data } = schema.safeParse(answer);
        if (code === null && !success) throw new NoAnswer('unreadable');
        return { code, answer: success ? data : null };
      },
    };
  };
}

interface Sending extends Pick<Asked, 'keyed' | 'onAnswer'> {
  signal: AbortSignal;
}

/** @returns the response's text. @throws NoAnswer */
async function post(base: string, text: string, { keyed, onAnswer, signal }: Sending): Promise<string> {
  const { protocol, hostname: host, port } = new URL(base);
  const body = keyed === undefined ? Buffer.from(text) : fillPlaces(text, keyed.places, keyed.parts);
  try {
    const isPlain = protocol === 'http:';
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json', 'Content-Length': body.length };
    const target = { host, port: port || (isPlain ? 80 : 443), path: PATH, method: 'POST', headers, isPlain };
    const { answer, text: answered } = await sendOnce(target, body, signal);
    if (answer.statusCode !== 200) throw new NoAnswer(`http_${answer.statusCode}`);
    onAnswer?.({ headers: new Headers({ date: answer.headers.date ?? '' }) });
    return answered;
  } finally {
    body.fill(0);
  }
}

/** @returns `code`: of an error; null if the request was processed. @throws NoAnswer if it is not Authorize.net's response */
function envelopeOf(text: string, refId: string | undefined): { code: string | null; answer: unknown } {
  const answer = jsonOf(text.replace(/^\uFEFF/, ''));
  const { refId: answered, messages } = parsed(ENVELOPE, answer);
  if (refId !== undefined && answered !== undefined && answered !== refId) throw new NoAnswer('answer_to_another');
  return { code: messages.resultCode === 'Ok' ? null : (messages.message[0]?.code ?? 'Error'), answer };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new NoAnswer('no_json');
  }
}

/** @throws NoAnswer */
function parsed<T>(schema: z.ZodType<T>, value: unknown): T {
  const { success, data } = schema.safeParse(value);
  if (!success) throw new NoAnswer('unreadable');
  return data;
}
