/** The client of the REST API. */
import { Operations } from './generated/operations.ts';
import { type ApiRequest, type RequestOptions, type RequestSettings, sendRequest } from './request.ts';

export interface RingkeyOptions {
  /** `rk_test_…` or `rk_live_…`. It can create charges: keep it on your server. */
  apiKey: string;
  /** Address of the service: `https://ringkey.example.com`. */
  baseUrl: string;
  /** The time limit of each attempt. The default is 80 seconds. */
  timeoutMs?: number;
  /** How often a request is sent again after a 408, a 429, a 503 or a lost connection, if that is safe. Default 2. */
  maxRetries?: number;
  /** Replaces the built-in `fetch`. */
  fetch?: typeof fetch;
}

const DEFAULT_TIMEOUT_MS = 80_000;
const DEFAULT_MAX_RETRIES = 2;

/** A client for one account and mode. */
export class Ringkey extends Operations {
  // Private, so that the key is not in logs of this object.
  readonly #settings: RequestSettings;

  /** @throws TypeError if the key or the address is missing or malformed */
  constructor({ apiKey, baseUrl, timeoutMs, maxRetries, fetch = globalThis.fetch }: RingkeyOptions) {
    super();
    if (typeof apiKey !== 'string' || !/^[\w-]+$/.test(apiKey)) throw new TypeError('apiKey must be an API key.');
    if (!/^https?:$/.test(new URL(baseUrl).protocol)) throw new TypeError('baseUrl must be an http(s) URL.');
    this.#settings = {
      apiKey,
      baseUrl: baseUrl.replace(/\/+$/, ''),
      timeoutMs: timeoutMs ?? DEFAULT_TIMEOUT_MS,
      maxRetries: maxRetries ?? DEFAULT_MAX_RETRIES,
      fetch,
    };
  }

  protected override async send<Answer>(request: ApiRequest, options: RequestOptions = {}): Promise<Answer> {
    return (await sendRequest(this.#settings, request, options)) as Answer;
  }
}
