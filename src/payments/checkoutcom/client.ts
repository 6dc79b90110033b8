/** Requests to Checkout.com's API: JSON over HTTPS, with the secret key as a bearer token (api-reference.checkout.com). */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { KeyedCard } from '../../flow/types.ts';
import { type CardPlaces, cardPartsWithNumbers, fillPlaces, sendOnce } from '../card-request.ts';
import { NoAnswer } from '../no-retry.ts';
import type { ProcessorAccess } from '../ports.ts';
import { revealCredentials } from '../vendor-faults.ts';
import { type CheckoutComCredentials, checkoutComCredentials } from './credentials.ts';

/** By mode, before the account's prefix. Tests pass the address of a fake server, which takes no prefix. */
export type CheckoutComHosts = Readonly<Record<Mode, string>>;

export const CHECKOUT_COM_HOSTS: CheckoutComHosts = { test: 'api.sandbox.checkout.com', live: 'api.checkout.com' };

/** A response with a 4xx or 5xx. `codes`: `error_codes` of a 422. */
export class HttpError extends Error {
  readonly status: number;
  readonly codes: readonly string[];

  constructor(status: number, codes: readonly string[] = []) {
    super('Checkout.com rejected the request');
    this.name = 'HttpError';
    this.status = status;
    this.codes = codes;
  }
}

interface Asked {
  body?: object;
  /** "A unique key in the Cko-Idempotency-Key header" (checkout.com/docs/payments/manage-payments/idempotency). */
  idempotencyKey?: string;
  /** The card that the request carries, and its placeholders. */
  keyed?: { card: KeyedCard; places: CardPlaces } | undefined;
  onAnswer?: ((answer: Pick<Response, 'headers'>) => void) | undefined;
}

export interface CheckoutCom {
  readonly settings: CheckoutComCredentials;
  /** @throws HttpError, NoAnswer */
  ask<T>(method: 'GET' | 'POST' | 'DELETE', path: string, schema: z.ZodType<T>, asked?: Asked): Promise<T>;
}

/** Opens a client for one call. @throws UnusableCredentials */
export type OpenCheckoutCom = (access: ProcessorAccess, signal: AbortSignal) => Promise<CheckoutCom>;

/** @param testServer replaces the vendor's hosts: `http://127.0.0.1:…` */
export function checkoutComAt(testServer?: string): OpenCheckoutCom {
  return async ({ mode, credentials }, signal) => {
    const settings = revealCredentials(checkoutComCredentials(mode), credentials);
    const { prefix, secret_key: key } = settings;
    const host = prefix === undefined ? CHECKOUT_COM_HOSTS[mode] : `${prefix}.${CHECKOUT_COM_HOSTS[mode]}`;
    const base = new URL(testServer ?? `https://${host}`);
    return {
      settings,
      async ask(method, path, schema, { body, idempotencyKey, keyed, onAnswer } = {}) {
        const bytes = bytesOf(body, keyed);
        try {
          const isPlain = base.protocol === 'http:';
          const target = { host: base.hostname, port: base.port || (isPlain ? 80 : 443), path, method, isPlain };
          const headers = {
            Authorization: `Bearer ${key}`,
            Accept: 'application/json',
            'Content-Length': bytes.length,
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
            ...(idempotencyKey !== undefined && { 'Cko-Idempotency-Key': idempotencyKey }),
          };
          const { answer, text } = await sendOnce({ ...target, headers }, bytes, signal);
          onAnswer?.({ headers: new Headers({ date: answer.headers.date ?? '' }) });
          return contentOf(schema, answer.statusCode ?? 0, text);
        } finally {
          bytes.fill(0);
        }
      },
    };
  };
}

/** The placeholders of the date lose their quotes, because it is sent as numbers. */
function bytesOf(body: object | undefined, keyed: Asked['keyed']): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body);
  if (keyed === undefined) return Buffer.from(text);
  const { card, places } = keyed;
  const numbers = [places.month, places.year].reduce((left, place) => left.replace(`"${place}"`, place), text);
  return fillPlaces(numbers, places, cardPartsWithNumbers(card));
}

const ERROR = z.object({ error_codes: z.array(z.string()).optional() });

/** @throws HttpError, NoAnswer */
function contentOf<T>(schema: z.ZodType<T>, status: number, text: string): T {
  if (status < 200 || status >= 300) throw new HttpError(status, ERROR.safeParse(jsonOrNull(text)).data?.error_codes);
  const { success, data } = schema.safeParse(status === 204 ? {} : jsonOrNull(text));
  if (!success) throw new NoAnswer('unreadable');
  return data;
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
