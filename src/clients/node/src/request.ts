/** One request to the API: retries, time limit, and the answer or a typed error. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiConnectionError, errorOf, type RingkeyError } from './errors.ts';
import { VERSION } from './version.ts';

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the service. */
  path: string;
  body?: object;
  /** Instead of a body, with its content type. */
  file?: Uint8Array;
  contentType?: string;
  query?: object;
}

export interface RequestOptions {
  /**
   * Makes a POST safe to repeat, for 24 hours. By default each call of a method has a new key, which covers only its
   * own retries.
   */
  idempotencyKey?: string;
  /** The time limit of each attempt. */
  timeoutMs?: number;
  /** How often a failed request is sent again. */
  maxRetries?: number;
  /** Cancels the request. */
  signal?: AbortSignal;
}

export interface RequestSettings {
  apiKey: string;
  /** Without a trailing slash. */
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
}

const FIRST_RETRY_MS = 500;
/** An answer that asks for a longer wait is an error: a caller is waiting on the phone. */
const MAX_RETRY_AFTER_SECONDS = 30;

/** A path with parameters. @throws TypeError for an ID that would make it another path */
export function pathOf(parts: TemplateStringsArray, ...ids: string[]): string {
  for (const id of ids) {
    if (typeof id !== 'string' || /^\.{0,2}$/.test(id)) throw new TypeError(`Not an ID: ${JSON.stringify(id)}`);
  }
  return String.raw({ raw: parts }, ...ids.map(encodeURIComponent));
}

/** @throws RingkeyError if the service answers with an error, or not at all */
export async function sendRequest(settings: RequestSettings, request: ApiRequest, options: RequestOptions) {
  const init = initOf(settings, request, options);
  const { maxRetries = settings.maxRetries, timeoutMs = settings.timeoutMs, signal } = options;
  for (let retries = 0; ; retries += 1) {
    const result = await attempt(settings, request, { ...init, signal: limited(timeoutMs, signal) });
    if (!('error' in result)) return result.body;
    signal?.throwIfAborted();
    const delayMs = retries < maxRetries ? retryDelayMs(request, result, retries) : null;
    if (delayMs === null) throw result.error;
    await sleep(delayMs, undefined, signal && { signal });
  }
}

function initOf(
  { apiKey }: RequestSettings,
  { method, body, file, contentType }: ApiRequest,
  { idempotencyKey }: RequestOptions,
) {
  return {
    method,
    // The API never redirects. Another server must not get the key.
    redirect: 'manual',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${apiKey}`,
      'user-agent': `ringkey-client-node/${VERSION}`,
      ...(method === 'POST' && { 'idempotency-key': idempotencyKey ?? randomUUID() }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(contentType !== undefined && { 'content-type': contentType }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(file !== undefined && { body: file as Uint8Array<ArrayBuffer> }),
  } satisfies RequestInit;
}

function limited(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
}

interface Failure {
  error: RingkeyError;
  /** Undefined if there was no answer. */
  response?: Response;
}

async function attempt(
  { fetch, baseUrl }: RequestSettings,
  { path, query = {} }: ApiRequest,
  init: RequestInit,
): Promise<{ body: unknown } | Failure> {
  const url = new URL(baseUrl + path);
  for (const [name, value] of Object.entries(query)) if (value != null) url.searchParams.set(name, String(value));
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, init);
    text = await response.text();
  } catch (error) {
    return { error: new ApiConnectionError(error) };
  }
  const body = parsed(text);
  if (response.ok && body !== undefined) return { body };
  return { error: errorOf(response, body), response };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * How long to wait before the request is sent again; null if it must not be. After a lost connection or a 503 it may
 * have been done, so only a GET, or a POST with its key, is repeated. A 408 or a 429 did nothing. A 409 with `Retry-After`
 * means that the first request with this key is still in progress.
 */
function retryDelayMs({ method }: ApiRequest, { response }: Failure, retries: number): number | null {
  const status = response?.status;
  const retryAfter = response?.headers.get('retry-after') ?? null;
  const isSafe = method === 'GET' || method === 'POST';
  const isRetryable =
    status === 408 ||
    status === 429 ||
    (isSafe && (status === undefined || status === 503 || (status === 409 && retryAfter !== null)));
  if (!isRetryable) return null;
  if (retryAfter === null) return FIRST_RETRY_MS * 2 ** retries * (0.5 + Math.random() / 2);
  if (!/^\d+$/.test(retryAfter) || Number(retryAfter) > MAX_RETRY_AFTER_SECONDS) return null;
  return Number(retryAfter) * 1_000;
}
