/**
 * `Idempotency-Key` on a POST: the first answer is kept for 24 hours and given again, byte for byte, to whoever asks the
 * same with the same key; other details with it are refused. Answers that promise nothing (5xx, 429, an order that was
 * not found) are not kept.
 *
 * A process that dies after the effect and before the answer was kept leaves a claim that lapses; the request then runs
 * again. What must not happen twice even so, a charge, is held by the record itself.
 */
import { createHash, hkdfSync } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../contract/errors.ts';
import type { Log } from '../../observability/log.ts';
import type { Sql } from '../../db/pool.ts';
import { type Claim, type ClaimResult, claimKey, keepAnswer, releaseKey } from '../../db/keys/idempotency.ts';
import { CannotOpen, createVault, KEY_BYTES, type Vault } from '../../vault/vault.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The Idempotency-Key that this request works on; null when it came without one. */
    idempotencyClaim: Claim | null;
  }
  interface FastifyContextConfig {
    /** Changes a kept answer of 2xx before it is given again (`charge` says `replay: true`). JSON text in and out. */
    onReplay?: (body: string) => string;
  }
}

export interface IdempotencyDeps {
  database: Sql;
  /** Seals the kept answers; where there is none, the API key that asks does. */
  vault: Vault | null;
  log: Log;
  /** How long a request waits for the first one with its key; 10 s where not given. */
  idempotencyWaitMs?: number;
}

const WAIT_MS = 10_000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;
const HEADER = 'Idempotency-Key';
const PRINTABLE = /^[\x20-\x7e]{1,255}$/;
/** Parts of a request beside its path and body that say what is asked for. */
const TELLING_HEADERS = ['x-ringkey-merchant'];

/** Guards the routes of `app`; after {@link authenticate}, for it needs `request.scope`. */
export function rememberAnswers(app: FastifyInstance, deps: IdempotencyDeps): void {
  app.decorateRequest('idempotencyClaim', null);
  app.addHook('preHandler', (request, reply, done) => {
    const value = request.headers['idempotency-key'];
    // Most requests have no key: they should not wait for a promise, here or below.
    if (request.method !== 'POST' || value === undefined) done();
    else return claimOrReplay(deps, claimOf(request, String(value)), request, reply);
    return undefined;
  });
  app.addHook('onSend', (request, reply, payload, done) => {
    const claim = request.idempotencyClaim;
    request.idempotencyClaim = null;
    if (claim === null) {
      done(null, payload);
      return;
    }
    void conclude(deps, claim, request, reply.statusCode, String(payload ?? '')).then(() => done(null, payload), done);
  });
}

/** Resolves to nothing when the request may go on, else to its answer, which is on its way. */
async function claimOrReplay(
  deps: IdempotencyDeps,
  claim: Claim,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const result = await untilDecided(deps, claim, () => request.raw.socket.destroyed);
  switch (result.kind) {
    case 'claimed':
      // Answered while it waited for the record: nobody works on it.
      if (request.isTimedOut) await releaseKey(deps.database, claim);
      else request.idempotencyClaim = claim;
      return undefined;
    case 'answered':
      return replay(deps, claim, result, request, reply);
    case 'mismatch':
      throw new ApiError('charge_details_mismatch', {
        param: HEADER,
        message: 'This Idempotency-Key was used in the last 24 hours with other details.',
      });
    case 'busy':
      throw stillBusy();
  }
}

function claimOf(request: FastifyRequest, value: string): Claim {
  if (!PRINTABLE.test(value)) throw new ApiError('invalid_value', { param: HEADER });
  return {
    ...request.scope,
    route: `POST ${request.routeOptions.url ?? ''}`,
    keyHash: sha256([value]),
    requestHash: sha256([
      request.url,
      ...TELLING_HEADERS.map((name) => String(request.headers[name] ?? '')),
      request.bodyText,
    ]),
    requestId: request.id,
  };
}

function sha256(parts: string[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length}:`).update(part);
  return hash.digest();
}

/**
 * Waits while another request works on the key, unless our client goes. (`request.signal` does not tell: since Node 16 a
 * request's `close` comes with the end of its body.)
 */
async function untilDecided(deps: IdempotencyDeps, claim: Claim, isGone: () => boolean): Promise<ClaimResult> {
  const deadline = performance.now() + (deps.idempotencyWaitMs ?? WAIT_MS);
  let pauseMs = FIRST_PAUSE_MS;
  for (;;) {
    const result = await claimKey(deps.database, claim);
    if (result.kind !== 'busy' || isGone() || performance.now() + pauseMs > deadline) return result;
    await delay(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS);
  }
}

/** The catalogue's one `idempotency_error`: the details don't differ, but what becomes of them is not known yet. */
function stillBusy(): ApiError {
  return new ApiError('charge_details_mismatch', {
    advice: 'try_again_later',
    retryAfterSeconds: 1,
    param: HEADER,
    message: 'The first request with this Idempotency-Key is still being worked on: send this one again.',
  });
}

/** The answer's own request id goes with it: an error's body has it, too. */
function replay(
  deps: IdempotencyDeps,
  claim: Claim,
  first: ClaimResult & { kind: 'answered' },
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const body = openAnswer(vaultFor(deps, request), first.sealedAnswer, claim);
  const { onReplay } = request.routeOptions.config;
  deps.log.info({ request_id: request.id, first_request_id: first.requestId }, 'answer given again');
  return reply
    .code(first.status)
    .header('x-request-id', first.requestId)
    .header('idempotent-replayed', 'true')
    .type('application/json; charset=utf-8')
    .send(first.status < 300 && onReplay !== undefined ? onReplay(body) : body);
}

/**
 * An answer may hold a token or a key that the record otherwise has as a hash only, so it is never kept in the clear.
 * Without encryption keys only who has the API key opens it (RFC 5869); of the keyless demo everybody has everything.
 */
function vaultFor({ vault }: IdempotencyDeps, { headers }: FastifyRequest): Vault {
  if (vault !== null) return vault;
  const secret = headers.authorization?.replace(/^\S+ +/, '') ?? 'keyless demo';
  return createVault([Buffer.from(hkdfSync('sha256', secret, '', 'ringkey idempotency', KEY_BYTES))]);
}

function openAnswer(vault: Vault, sealed: string, claim: Claim): string {
  try {
    return vault.open(sealed, contextOf(claim));
  } catch (cause) {
    if (!(cause instanceof CannotOpen)) throw cause;
    throw new ApiError('charge_details_mismatch', {
      param: HEADER,
      message: 'This Idempotency-Key was used with another API key, which alone opens its answer.',
      cause,
    });
  }
}

/** What an answer is sealed for. */
export const contextOf = ({
  accountId,
  mode,
  route,
  keyHash,
}: Record<'accountId' | 'mode' | 'route', string> & Pick<Claim, 'keyHash'>) =>
  `idempotency:${accountId}:${mode}:${route}:${keyHash.toString('base64url')}`;

/** Before the client sees the answer, so that what it saw is what it will see again. */
async function conclude(
  deps: IdempotencyDeps,
  claim: Claim,
  request: FastifyRequest,
  status: number,
  body: string,
): Promise<void> {
  const { database, log } = deps;
  // The handler was cut off, but may still be at it: its claim holds until it lapses.
  if (request.isTimedOut) return;
  const isKept = status < 500 && !request.isPassedOver;
  try {
    const sealed = vaultFor(deps, request).seal(body, contextOf(claim));
    if (!isKept) await releaseKey(database, claim);
    else if (!(await keepAnswer(database, claim, { status, sealed }))) {
      log.error({ request_id: request.id }, 'another request took the idempotency key over');
    }
  } catch (error) {
    // The effect has happened: the client gets its answer. Sent again, the request runs again once the claim has lapsed.
    log.error({ request_id: request.id, error }, 'the answer could not be kept');
  }
}
