/**
 * The REST surface for callers in this process: pages ask it as clients do, so validation, authorisation, idempotency,
 * errors and audit are the same. Who asks is handed over beside the request, where nothing that a client sends can
 * reach.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Scope } from '../../domain/account.ts';
import type { Actor } from '../../domain/audit.ts';
import type { Role } from '../../domain/user.ts';

/** In whose name a request in process is made. */
export interface Principal extends Scope {
  /** For the audit trail; the request's id is added. */
  actor: Omit<Actor, 'requestId'>;
  role: Role;
  /** Whether the browser's request came from this machine: see plugins/local-requests.ts. */
  isLocal: boolean;
}

export interface ApiQuestion {
  /** GET where not given. */
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `/v1/refunds`, without a query. */
  path: string;
  /** Undefined values and empty texts are left out. */
  query?: Readonly<Record<string, string | undefined>>;
  body?: object;
  /** For a POST: the same one is carried out once. */
  idempotencyKey?: string;
}

export interface ApiReply {
  status: number;
  /** Parsed JSON. */
  body: unknown;
}

/** Encrypts the stored answers to requests in process where no encryption keys are set; gone with the process. */
export const PROCESS_SECRET = randomBytes(32).toString('base64');

/** No key: were the principal ever lost on the way, the request would be refused, and not be the keyless demo's. */
const HEADERS = { host: '127.0.0.1', authorization: 'Principal' };

const principals = new AsyncLocalStorage<Principal>();

/** In whose name the request that is being handled was made, where it was made by {@link askApi}; else null. */
export const principalInProcess = (): Principal | null => principals.getStore() ?? null;

/** @returns what the operation answers, errors too. */
export async function askApi(app: FastifyInstance, principal: Principal, question: ApiQuestion): Promise<ApiReply> {
  const { method = 'GET', path, query = {}, body, idempotencyKey } = question;
  const given = Object.entries(query).filter((entry): entry is [string, string] => Boolean(entry[1]));
  // `inject` begins when its answer is waited for: that has to be within the principal's context.
  const answer = await principals.run(
    principal,
    async () =>
      await app.inject({
        method,
        url: given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`,
        ...(principal.actor.source !== null && { remoteAddress: principal.actor.source }),
        headers: { ...HEADERS, ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }) },
        ...(body !== undefined && { payload: body }),
      }),
  );
  return { status: answer.statusCode, body: answer.body === '' ? null : (JSON.parse(answer.body) as unknown) };
}
