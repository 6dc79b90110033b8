/**
 * `Idempotency-Key` on a POST: the first answer is stored for 24 hours and returned, byte for byte, to the same request
 * with the same key. A different request with that key is rejected. Answers with 424, 429 and 5xx are not stored, nor are
 * temporary errors (an order that was not found).
 *
 * If a process dies after the effect and before storing the answer, its claim expires and the request runs again. The
 * database's unique index still rules out a second charge.
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
    /** The request's claim on its Idempotency-Key. Null without one. */
    idempotencyClaim: Claim | null;
  }
}

interface IdempotencyDeps {
  database: Sql;
  /** Encrypts stored answers. If null, a key derived from the API key is used. */
  vault: Vault | null;
  log: Log;
  /** How long a request waits for the first one with its key. The default is 10 s. */
  idempotencyWaitMs?: number;
}

const WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
const HEADER = 'Idempotency-Key';
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;

/** Adds idempotency to the routes of `app`. Call it after {@link authenticate}, which sets `request.scope`. */
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

/** @returns undefined if the handler runs, otherwise the reply, which is being sent */
async function claimOrReplay(
  deps: IdempotencyDeps,
  claim: Claim,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const result = await claimOrWait(deps, claim, request);
  switch (result.kind) {
    case 'claimed':
      // The request timed out while it waited for the database, so its handler will not run.
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

/** Two requests are the same if path, merchant header and body are identical. */
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

/** Waits while another request holds the key, unless the client closes the connection. */
async function claimOrWait(deps: IdempotencyDeps, claim: Claim, { raw }: FastifyRequest): Promise<ClaimResult> {
  const deadline = performance.now() + (deps.idempotencyWaitMs ?? WAIT_MS);
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const result = await claimKey(deps.database, claim);
    // Not `request.signal`: since Node.js 16 a request emits `close` at the end of its body.
    if (result.kind !== 'busy' || raw.socket.destroyed || performance.now() + pauseMs > deadline) return result;
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}

/** Sends the stored answer with the request ID of the first request, which the body of an error also contains. */
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
 * Stored answers are always encrypted: they may contain a token or an API key, which are otherwise stored as hashes only.
 * Without encryption keys, the key is derived (HKDF, RFC 5869) from the API key, or for a dashboard user from a secret of
 * this process. The keyless demo has no secrets.
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
  // The handler may still be running, so the claim stays until it expires.
  if (request.isTimedOut) return;
  // A rejected form changed nothing, and the user may send it again once the cause is fixed.
  const isRefusedForm = status >= 400 && principalInProcess() !== null;
  const isFinal = status < 500 && !request.failedTemporarily && !isRefusedForm;
  try {
    if (!isFinal) return await releaseKey(database, claim);
    const encrypted = vaultFor(deps, request).seal(body, answerContext(claim));
    const isStored = await storeAnswer(database, claim, { status, encrypted });
    if (!isStored) log.error({ request_id: request.id }, 'another request took over the idempotency key');
  } catch (error) {
    // The effect has happened, so the client gets its answer. A repeat runs again after the claim has expired.
    log.error({ request_id: request.id, error }, 'response could not be stored for its idempotency key');
  }
}
