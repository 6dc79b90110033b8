/**
 * REST for callers in this process. Pages use it like any client, so validation, authorization, idempotency, errors and
 * audit are the same. The principal is passed outside of the request, so no client can set it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import type { MerchantLimit, Role } from '../../domain/user.ts';
import type { LanguageTag } from '../../languages/index.ts';

/** The user for whom a request in this process is made. */
export interface Principal extends Scope {
  /** For the audit log. The request ID is added. */
  actor: Omit<Actor, 'requestId'>;
  role: Role;
  /** See plugins/merchant-limit.ts. */
  merchants: MerchantLimit;
  /** Whether the browser's request came from this machine: see plugins/local-requests.ts. */
  isLocal: boolean;
  /** Of the words of attention items; all other texts are English. Default: English. */
  language?: LanguageTag;
  /** Of days in these words, IANA. Default: UTC. */
  timeZone?: string;
}

export interface ApiQuestion {
  /** The default is GET. */
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v1/refunds`, without a query. */
  path: string;
  /** Undefined and empty values are left out. */
  query?: Readonly<Record<string, string | undefined>>;
  body?: object;
  /** Instead of a body. */
  upload?: { type: string; bytes: Buffer };
  /** For a POST, which then runs once. */
  idempotencyKey?: string;
}

export interface ApiReply {
  status: number;
  /** Parsed JSON. */
  body: unknown;
}

/** Encrypts stored answers to requests in this process if there are no encryption keys. */
export const PROCESS_SECRET = randomBytes(32).toString('base64');

/** Not a key: if the principal were lost, the request would be rejected instead of running as the keyless demo. */
const HEADERS = { host: '127.0.0.1', authorization: 'Principal' };

interface RequestInProcess {
  principal: Principal;
  /** The limit of what the handler reads. */
  limit: MerchantLimit;
}

const requests = new AsyncLocalStorage<RequestInProcess>();

/** The principal of the current request if {@link askApi} made it. Otherwise null. */
export const principalInProcess = (): Principal | null => requests.getStore()?.principal ?? null;

/** The merchants whose rows the current request can read. Null: all of its account's. */
export const limitInProcess = (): MerchantLimit => requests.getStore()?.limit ?? null;

/** Lifts the limit for the rest of the current request: its object was found within the limit. */
export function liftLimit(): void {
  const request = requests.getStore();
  if (request !== undefined) request.limit = null;
}

/** @returns the answer of the operation, also an error */
export async function askApi(app: FastifyInstance, principal: Principal, question: ApiQuestion): Promise<ApiReply> {
  const { method = 'GET', path, query = {}, body, upload, idempotencyKey } = question;
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  // `inject` starts when it is awaited, so it has to be awaited within the principal's context.
  const answer = await requests.run(
    { principal, limit: principal.merchants },
    async () =>
      await app.inject({
        method,
        url: given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`,
        ...(principal.actor.source !== null && { remoteAddress: principal.actor.source }),
        headers: {
          ...HEADERS,
          ...(upload && { 'content-type': upload.type }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        ...(body !== undefined && { payload: body }),
        ...(upload && { payload: upload.bytes }),
      }),
  );
  return { status: answer.statusCode, body: answer.body === '' ? null : (JSON.parse(answer.body) as unknown) };
}

/** Whether the current request was made in this process, so that no client can abandon it. */
export const isMadeInProcess = (): boolean => principalInProcess() !== null || isCountedInProcess();

/** Headers about the client's own body and connection. */
const OF_THE_MESSAGE = new Set([
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
  'expect',
  'accept',
  'accept-encoding',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
]);

const countedRequests = new AsyncLocalStorage<true>();

/** Whether {@link askAsClient} made the current request. The client's own request already counts for its rate limit. */
export const isCountedInProcess = (): boolean => countedRequests.getStore() === true;

export interface ClientReply extends ApiReply {
  /** The header `X-Ringkey-Unknown-Fields`, or null. */
  unknownFields: string | null;
}

/**
 * REST for a client that speaks another protocol: a request from its address with its headers. So its key, source, rate
 * limit, idempotency, audit and request log are those of REST.
 * @param gone aborts a GET, which may be waiting for news. A POST continues without its client.
 * @throws AbortError
 */
export async function askAsClient(
  app: FastifyInstance,
  { headers, socket }: Pick<FastifyRequest, 'headers' | 'socket'>,
  { method = 'GET', path, body, idempotencyKey }: Omit<ApiQuestion, 'query'>,
  gone: AbortSignal,
): Promise<ClientReply> {
  const answer = await countedRequests.run(
    true,
    async () =>
      await app.inject({
        method,
        url: path,
        ...(socket.remoteAddress !== undefined && { remoteAddress: socket.remoteAddress }),
        headers: { ...forwarded(headers), ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
        ...(body !== undefined && { payload: body }),
        ...(method === 'GET' && { signal: gone }),
      }),
  );
  const unknownFields = answer.headers['x-ringkey-unknown-fields'];
  return {
    status: answer.statusCode,
    body: JSON.parse(answer.body) as unknown,
    unknownFields: unknownFields === undefined ? null : String(unknownFields),
  };
}

function forwarded(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_THE_MESSAGE.has(name)));
}
