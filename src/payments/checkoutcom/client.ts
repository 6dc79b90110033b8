/** Requests to Checkout.com's API: JSON over HTTPS, with the secret key as a bearer token (api-reference.checkout.com). */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import { revealCredentials } from '../vendor-api/faults.ts';
import { type JsonRequest, jsonOrNull, sendJson } from '../vendor-api/json-request.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { type CheckoutComCredentials, checkoutComCredentials } from './credentials.ts';

/** By mode, before the account's prefix. Tests pass the address of a fake server, which takes no prefix. */
type CheckoutComHosts = Readonly<Record<Mode, string>>;

const CHECKOUT_COM_HOSTS: CheckoutComHosts = { test: 'api.sandbox.checkout.com', live: 'api.checkout.com' };

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

interface Asked extends Pick<JsonRequest, 'body' | 'keyed' | 'onAnswer'> {
  /** "A unique key in the Cko-Idempotency-Key header" (checkout.com/docs/payments/manage-payments/idempotency). */
  idempotencyKey?: string;
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
      async ask(method, path, schema, { idempotencyKey, ...content } = {}) {
        const headers = {
          Authorization: `Bearer ${key}`,
          ...(idempotencyKey !== undefined && { 'Cko-Idempotency-Key': idempotencyKey }),
        };
        const request = { base, method, path, headers, datesAreNumbers: true, ...content };
        const { status, text } = await sendJson(request, signal);
        return contentOf(schema, status, text);
      },
    };
  };
}

const ERROR = z.object({ error_codes: z.array(z.string()).optional() });

/** @throws HttpError, NoAnswer */
function contentOf<T>(schema: z.ZodType<T>, status: number, text: string): T {
  if (status < 200 || status >= 300) throw new HttpError(status, ERROR.safeParse(jsonOrNull(text)).data?.error_codes);
  const { success, data } = schema.safeParse(status === 204 ? {} : jsonOrNull(text));
  if (!success) throw new NoAnswer('unreadable');
  return data;
}
