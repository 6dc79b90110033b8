/**
 * Requests to Access Worldpay: JSON over HTTPS with HTTP Basic authentication. Payments are made by the Payments API, and
 * found by the Payment Queries API, whose links lead to the Card Payments API (docs.worldpay.com/access/products/payments,
 * /payment-queries, /card-payments).
 */
import { z } from 'zod';
import type { Mode } from '../../domain/session.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import { revealCredentials } from '../vendor-api/faults.ts';
import { type JsonRequest, jsonOrNull, sendJson } from '../vendor-api/json-request.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { type WorldpayCredentials, worldpayCredentials } from './credentials.ts';

/** By mode. Tests pass the address of a fake server. */
export type WorldpayUrls = Readonly<Record<Mode, string>>;

export const WORLDPAY_URLS: WorldpayUrls = {
  test: 'https://try.access.worldpay.com',
  live: 'https://access.worldpay.com',
};

/** A response with a 4xx or 5xx. `name`s and `path`s of a rejected request: `errorName`, `validationErrors`. */
export class HttpError extends Error {
  readonly status: number;
  readonly errorName: string | null;
  readonly details: readonly ErrorDetail[];

  constructor(status: number, errorName: string | null, details: readonly ErrorDetail[]) {
    super('Worldpay rejected the request');
    this.name = 'HttpError';
    this.status = status;
    this.errorName = errorName;
    this.details = details;
  }
}

export interface ErrorDetail {
  errorName: string;
  /** Such as `$.instruction.paymentInstrument.cardNumber`. */
  jsonPath?: string | undefined;
}

type Asked = Pick<JsonRequest, 'body' | 'keyed' | 'onAnswer'>;

export interface Worldpay {
  readonly settings: WorldpayCredentials;
  readonly base: URL;
  /** @param api sets the headers. @throws HttpError, NoAnswer */
  ask<T>(api: Api, method: JsonRequest['method'], path: string, schema: z.ZodType<T>, asked?: Asked): Promise<T>;
}

/** Each API has its own media type or version header. */
type Api = keyof typeof HEADERS;

const mediaType = (type: string) => ({ Accept: type, 'Content-Type': type });
const HEADERS = {
  payments: { 'WP-Api-Version': '2024-06-01' },
  queries: { Accept: 'application/vnd.worldpay.payment-queries-v1.hal+json' },
  actions: mediaType('application/vnd.worldpay.payments-v7+json'),
  tokens: mediaType('application/vnd.worldpay.tokens-v3.hal+json'),
} as const satisfies Record<string, Readonly<Record<string, string>>>;

/** Opens a client for one call. @throws UnusableCredentials */
export type OpenWorldpay = (access: ProcessorAccess, signal: AbortSignal) => Promise<Worldpay>;

export function worldpayAt(urls: WorldpayUrls): OpenWorldpay {
  return async ({ mode, credentials }, signal) => {
    const settings = revealCredentials(worldpayCredentials(), credentials);
    const base = new URL(urls[mode]);
    const login = Buffer.from(`${settings.username}:${settings.password}`).toString('base64');
    return {
      settings,
      base,
      async ask(api, method, path, schema, asked = {}) {
        const headers = { Authorization: `Basic ${login}`, 'User-Agent': 'Ringkey', ...HEADERS[api] };
        const { status, text } = await sendJson(
          { base, method, path, headers, datesAreNumbers: true, ...asked },
          signal,
        );
        return contentOf(schema, status, text);
      },
    };
  };
}

const ERROR = z.object({
  errorName: z.string(),
  validationErrors: z.array(z.object({ errorName: z.string(), jsonPath: z.string().optional() })).optional(),
});

/** @throws HttpError, NoAnswer */
function contentOf<T>(schema: z.ZodType<T>, status: number, text: string): T {
  if (status < 200 || status >= 300) {
    const error = ERROR.safeParse(jsonOrNull(text)).data;
    throw new HttpError(status, error?.errorName ?? null, error?.validationErrors ?? []);
  }
  const { success, data } = schema.safeParse(status === 204 ? {} : jsonOrNull(text));
  if (!success) throw new NoAnswer('unreadable');
  return data;
}
