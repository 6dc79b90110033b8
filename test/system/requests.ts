/** Sends REST requests as a careful integrator does: with an Idempotency-Key, and again if there was no answer. */
import { setTimeout as delay } from 'node:timers/promises';
import { newId } from '../../src/domain/ids.ts';
import { DEMO_KEY } from '../../src/local/standalone/demo-data.ts';

interface Answer {
  status: number;
  body: AnswerBody;
}

export interface AnswerBody {
  error?: { code: string; advice_code: string };
  [field: string]: unknown;
}

interface RequestOptions {
  body?: object;
  /** Default: none. */
  key?: string;
}

/** Longer than the slowest regular answer. */
const ANSWER_LIMIT_MS = 180_000;
const AGAIN_MS = 250;
/** Far longer than two processes need to start. */
const MOST_TRIES = 400;
/**
 * Nothing has happened yet: also if a busy machine's database takes too long. After 424 the outcome is unknown: it is
 * settled later, so asking again would only wait.
 */
const ASK_AGAIN = new Set([409, 429, 500, 503]);

/** @returns null if the connection was lost */
async function send(url: string, { body, key }: RequestOptions): Promise<Answer | null> {
  try {
    const response = await fetch(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: `Bearer ${DEMO_KEY}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    return { status: response.status, body: (await response.json()) as AnswerBody };
  } catch {
    return null;
  }
}

/**
 * Sends the request until it is answered. A POST has a key, so that a repeat changes nothing.
 * @throws if it is never answered
 */
export async function request(url: string, body?: object, key: string = newId('Request')): Promise<Answer> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await send(url, body === undefined ? {} : { body, key });
    if (answer !== null && !isTemporary(answer)) return answer;
    await delay(AGAIN_MS);
  }
  throw new Error(`${new URL(url).pathname} was never answered`);
}

function isTemporary({ status, body }: Answer): boolean {
  return ASK_AGAIN.has(status) && body.error?.advice_code === 'try_again_later';
}
