/**
 * Requests to Adyen's Checkout API 71: JSON over HTTPS with an API key (github.com/Adyen/adyen-openapi,
 * CheckoutService-v71). "A unique identifier for the message with a maximum of 64 characters" in `Idempotency-Key` makes a
 * request repeatable (docs.adyen.com/development-resources/api-idempotency).
 */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import { revealCredentials } from '../vendor-api/faults.ts';
import type { JsonRequest } from '../vendor-api/json-request.ts';
import { jsonOrNull, sendJson } from '../vendor-api/json-request.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { type AdyenCredentials, adyenCredentials } from './credentials.ts';

const TEST_URL = 'https://checkout-test.adyen.com/v71';
/** Of Adyen's Customer Area (docs.adyen.com/reporting/automatically-get-reports). */
const REPORT_HOSTS: Readonly<Record<Mode, string>> = { test: 'ca-test.adyen.com', live: 'ca-live.adyen.com' };

/** A response with a 4xx or 5xx. `code`: its `errorCode`. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string | null;

  constructor(status: number, code: string | null) {
    super('Adyen rejected the request');
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
  }
}

interface Asked extends Pick<JsonRequest, 'body' | 'keyed'> {
  idempotencyKey?: string;
}

export interface Adyen {
  readonly settings: AdyenCredentials;
  /** Whether a page is Adyen's own. */
  pages(url: URL): boolean;
  /** @throws HttpError, NoAnswer */
  ask<T>(method: JsonRequest['method'], path: string, schema: z.ZodType<T>, asked?: Asked): Promise<T>;
  /** A report of the merchant account. @param name of the file, without a slash. @throws HttpError, NoAnswer */
  downloadReport(name: string, apiKey: string): Promise<string>;
}

/** Opens a client for one call. @throws UnusableCredentials */
export type OpenAdyen = (access: ProcessorAccess, signal: AbortSignal) => Promise<Adyen>;

/** @param testServer replaces the vendor's hosts: `http://127.0.0.1:…` */
export function adyenAt(testServer?: string): OpenAdyen {
  return async ({ mode, credentials }, signal) => {
    const settings = revealCredentials(adyenCredentials(mode), credentials);
    const { url_prefix: prefix } = settings;
    const url = prefix === undefined ? TEST_URL : `https://${prefix}-checkout-live.adyenpayments.com/checkout/v71`;
    const base = new URL(testServer ?? url);
    const root = base.pathname === '/' ? '' : base.pathname;
    return {
      settings,
      pages: ({ origin, protocol, hostname }) =>
        testServer === undefined ? protocol === 'https:' && hostname.endsWith('.adyen.com') : origin === base.origin,
      async ask(method, path, schema, { idempotencyKey, ...content } = {}) {
        const headers = {
          'X-API-Key': settings.api_key,
          ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
        };
        const { status, text } = await sendJson({ base, method, path: root + path, headers, ...content }, signal);
        return contentOf(schema, status, text);
      },
      // Never the address in the notification: the key goes to Adyen only.
      async downloadReport(name, apiKey) {
        const path = `/reports/download/MerchantAccount/${settings.merchant_account}/${name}`;
        const headers = { 'X-API-Key': apiKey, Accept: 'text/csv' };
        const from = new URL(testServer ?? `https://${REPORT_HOSTS[mode]}`);
        const { status, text } = await sendJson({ base: from, method: 'GET', path, headers }, signal);
        if (status !== 200) throw new HttpError(status, null);
        return text;
      },
    };
  };
}

const ERROR = z.object({ errorCode: z.string() });

/** @throws HttpError, NoAnswer */
function contentOf<T>(schema: z.ZodType<T>, status: number, text: string): T {
  if (status < 200 || status >= 300)
    throw new HttpError(status, ERROR.safeParse(jsonOrNull(text)).data?.errorCode ?? null);
  const { success, data } = schema.safeParse(status === 204 ? {} : jsonOrNull(text));
  if (!success) throw new NoAnswer('unreadable');
  return data;
}
