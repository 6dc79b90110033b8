/** Requests to a merchant's Hyperswitch server: JSON over HTTPS with the `api-key` header (api-reference.hyperswitch.io). */
import { z } from 'zod';
import type { KeyedCard } from '../../flow/effects.ts';
import { hostOf, publicLookup } from '../../lib/http-client/public-addresses.ts';
import type { ProcessorAccess } from '../port/credentials.ts';
import { type CardPlaces, cardParts, fillPlaces, sendOnce } from '../vendor-api/card-request.ts';
import { revealCredentials } from '../vendor-api/faults.ts';
import { NoAnswer } from '../vendor-api/no-retry.ts';
import { type HyperswitchCredentials, type HyperswitchOptions, hyperswitchCredentials } from './credentials.ts';

/** A response with a 4xx or 5xx. `code`: `IR_…`, `HE_…` or `CE_…`; null if it is not Hyperswitch's. */
export class HttpError extends Error {
  readonly status: number;
  readonly code: string | null;

  constructor(status: number, code: string | null) {
    super('Hyperswitch rejected the request');
    this.name = 'HttpError';
    this.status = status;
    this.code = code;
  }
}

interface Asked {
  body?: object;
  /** The card that the request carries, and its placeholders. */
  keyed?: { card: KeyedCard; places: CardPlaces };
  onAnswer?: ((answer: Pick<Response, 'headers'>) => void) | undefined;
}

export interface Hyperswitch {
  readonly settings: HyperswitchCredentials;
  /** @throws HttpError, NoAnswer */
  ask<T>(method: 'GET' | 'POST', path: string, schema: z.ZodType<T>, asked?: Asked): Promise<T>;
}

/** Opens a client for one call. @throws UnusableCredentials */
export type OpenHyperswitch = (access: ProcessorAccess, signal: AbortSignal) => Promise<Hyperswitch>;

/** The server is the merchant's. A long answer would keep this process busy, which serves others, too. */
const MAX_ANSWER_BYTES = 256 * 1024;

export function hyperswitches(options: HyperswitchOptions): OpenHyperswitch {
  return async ({ mode, credentials }, signal) => {
    const settings = revealCredentials(hyperswitchCredentials(mode, options), credentials);
    const base = new URL(settings.base_url);
    const isPlain = base.protocol === 'http:';
    return {
      settings,
      async ask(method, path, schema, { body, keyed, onAnswer } = {}) {
        const text = body === undefined ? '' : JSON.stringify(body);
        const bytes = keyed === undefined ? Buffer.from(text) : fillPlaces(text, keyed.places, cardParts(keyed.card));
        try {
          const headers = {
            'api-key': settings.api_key,
            Accept: 'application/json',
            'Content-Length': bytes.length,
            ...(body !== undefined && { 'Content-Type': 'application/json' }),
          };
          const target = {
            host: hostOf(base),
            port: base.port || (isPlain ? 80 : 443),
            path: `${base.pathname.replace(/\/$/, '')}${path}`,
            method,
            headers,
            isPlain,
            maxAnswerBytes: MAX_ANSWER_BYTES,
            ...(options.privateTargets !== true && { lookup: publicLookup }),
          };
          const { answer, text: answered } = await sendOnce(target, bytes, signal);
          onAnswer?.({ headers: new Headers({ date: answer.headers.date ?? '' }) });
          return contentOf(schema, answer.statusCode ?? 0, answered);
        } finally {
          bytes.fill(0);
        }
      },
    };
  };
}

const ERROR = z.object({ error: z.object({ code: z.string() }) });

function contentOf<T>(schema: z.ZodType<T>, status: number, text: string): T {
  const json = jsonOrNull(text);
  if (status !== 200) throw new HttpError(status, ERROR.safeParse(json).data?.error.code ?? null);
  const { success, data } = schema.safeParse(json);
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
