/**
 * `Idempotency-Key` on a POST: the first answer is stored for 24 hours and given again, byte for byte, to the same
 * request with the same key. Another request with that key is refused. Answers of 424, 429 and 5xx are not stored, nor
 * errors that may pass by themselves (an order that was not found).
 *
 * A process that dies between the effect and storing the answer leaves a claim that expires, and the request then runs
 * again. A second charge is ruled out even so, by the database's unique index.
 */
import { createHash, hkdfSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import {
  answerContext,
  type Claim,
  type ClaimResult,
  claimKey,
  releaseKey,
  storeAnswer,
} from '../../../db/keys/idempotency.ts';
import type { Sql } from '../../../db/pool.ts';
import type { Log } from '../../../lib/observability/log.ts';
import { CannotOpen, createVault, KEY_BYTES, type Vault } from '../../../lib/vault/vault.ts';
import { PROCESS_SECRET, principalInProcess } from '../in-process.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The Idempotency-Key that this request holds; null without one. */
    idempotencyClaim: Claim | null;
  }
}

export interface IdempotencyDeps {
  database: Sql;
  /** Encrypts stored answers. Null: a key derived from the API key does. */
  vault: Vault | null;
  log: Log;
  /** How long a request waits for the first one with its key; default 10 s. */
  idempotencyWaitMs?: number;
}

const WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
const HEADER = 'Idempotency-Key';
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** Adds idempotency to the routes of `app`. After {@link authenticate}, because it needs `request.scope`. */
export function storeAnswers(app: FastifyInstance, deps: IdempotencyDeps): void {
  app.decorateRequest('idempotencyClaim', null);
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    if (request.method !== 'POST' || key === undefined) return undefined;
    return claimOrReplay(deps, claimOf(request, String(key)), request, reply);
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const claim = request.idempotencyClaim;
    request.idempotencyClaim = null;
    if (claim !== null) await settleClaim(deps, claim, request, reply.statusCode, String(payload ?? ''));
    return payload;
  });
}

/** @returns undefined when the request may go on, else the reply, which is being sent */
async function claimOrReplay(
  deps: IdempotencyDeps,
  claim: Claim,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const result = await claimOrWait(deps, claim, request);
  switch (result.kind) {
    case 'claimed':
      // Timed out while it waited for the database: its handler will not run.
      if (request.isTimedOut) await releaseKey(deps.database, claim);
      else request.idempotencyClaim = claim;
      return undefined;
    case 'answered':
      return replay(deps, claim, result, request, reply);
    case 'mismatch':
      throw new ApiError('charge_details_mismatch', {
        param: HEADER,
        message: 'This Idempotency-Key was used in the last 24 hours with different details. Use a new key.',
      });
    case 'busy':
      throw new ApiError('charge_details_mismatch', {
        advice: 'try_again_later',
        retryAfterSeconds: 1,
        param: HEADER,
        message: 'The first request with this Idempotency-Key is still in progress. Send this request again later.',
      });
  }
}

/** The same request is the same path, merchant header and body, character for character. */
function claimOf(request: FastifyRequest, key: string): Claim {
  if (!PRINTABLE.test(key)) throw new ApiError('invalid_value', { param: HEADER });
  const merchant = String(request.headers['x-ringkey-merchant'] ?? '');
  return {
    ...request.scope,
    route: `POST ${request.routeOptions.url ?? ''}`,
    keyHash: sha256(key),
    requestHash: sha256([request.url.replace(/\/$/, ''), merchant, request.bodyText].join('\n')),
    requestId: request.id,
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Waits while another request holds the key, unless the client closes its connection. */
async function claimOrWait(deps: IdempotencyDeps, claim: Claim, { raw }: FastifyRequest): Promise<ClaimResult> {
  const deadline = performance.now() + (deps.idempotencyWaitMs ?? WAIT_MS);
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const result = await claimKey(deps.database, claim);
    // Not `request.signal`: a request's `close` event comes with the end of its body (Node 16 and later).
    if (result.kind !== 'busy' || raw.socket.destroyed || performance.now() + pauseMs > deadline) return result;
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}

/** Sends the stored answer with its own request id, which an error's body has, too. */
function replay(
  deps: IdempotencyDeps,
  claim: Claim,
  first: ClaimResult & { kind: 'answered' },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const body = decryptAnswer(vaultFor(deps, request), first.encryptedAnswer, claim);
  const { onReplay } = request.routeOptions.config.operation ?? {};
  deps.log.info({ request_id: request.id, first_request_id: first.requestId }, 'stored response replayed');
  return reply
    .code(first.status)
    .header('x-request-id', first.requestId)
    .header('idempotent-replayed', 'true')
    .type('application/json; charset=utf-8')
    .send(first.status < 300 && onReplay !== undefined ? onReplay(body) : body);
}

/**
 * An answer may hold a token or an API key that is otherwise stored as a hash only, so it is always encrypted. Without
 * encryption keys the key is derived from the API key (HKDF, RFC 5869), of a user's request from a secret of this
 * process; the keyless demo has no secrets.
 */
function vaultFor({ vault }: IdempotencyDeps, { headers }: FastifyRequest): Vault {
  if (vault !== null) return vault;
  const ofUser = principalInProcess() === null ? null : PROCESS_SECRET;
  const secret = ofUser ?? headers.authorization?.replace(/^\S+ +/, '') ?? 'keyless demo';
  return createVault([Buffer.from(hkdfSync('sha256', secret, '', 'ringkey idempotency', KEY_BYTES))]);
}

function decryptAnswer(vault: Vault, encrypted: string, claim: Claim): string {
  try {
    return vault.open(encrypted, answerContext(claim));
  } catch (cause) {
    if (!(cause instanceof CannotOpen)) throw cause;
    throw new ApiError('charge_details_mismatch', {
      param: HEADER,
      message: 'This Idempotency-Key was used with another API key. Only that API key can read the stored answer.',
      cause,
    });
  }
}

/** Stores the answer, or releases the key, before the client sees the answer. */
async function settleClaim(
  deps: IdempotencyDeps,
  claim: Claim,
  request: FastifyRequest,
  status: number,
  body: string,
): Promise<void> {
  const { database, log } = deps;
  // The handler of a request that timed out may still be running: its claim holds until it expires.
  if (request.isTimedOut) return;
  // A form that was refused made nothing, and may be sent again: what was in its way may be gone.
  const isRefusedForm = status >= 400 && principalInProcess() !== null;
  const isFinal = status < 500 && !request.failedTemporarily && !isRefusedForm;
  try {
    if (!isFinal) return await releaseKey(database, claim);
    const encrypted = vaultFor(deps, request).seal(body, answerContext(claim));
    const isStored = await storeAnswer(database, claim, { status, encrypted });
    if (!isStored) log.error({ request_id: request.id }, 'another request took over the idempotency key');
  } catch (error) {
    // The effect has happened, so the client gets its answer. A repeat runs again once the claim has expired.
    log.error({ request_id: request.id, error }, 'response could not be stored for its idempotency key');
  }
}
