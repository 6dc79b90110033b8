/** One attempt to deliver: a signed POST, and what came of it. Never throws. */
import { withinLimit } from '../concurrency/time-limit.ts';
import type { EventId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import { type Connections, post } from '../outgoing-http/post.ts';
import { ForbiddenAddress, isPublicOnly } from '../outgoing-http/public-addresses.ts';
import { signatureHeaders } from '../outgoing-http/signature.ts';
import type { AttemptResult } from './attempt-result.ts';

export interface Attempt {
  url: string;
  mode: Mode;
  eventId: EventId;
  body: string;
  /** The newest first. */
  secrets: readonly string[];
}

export interface AttemptReport {
  result: AttemptResult;
  /** Up to the answer, or to the end of the wait. */
  latencyMs: number;
  /** Null where none came. */
  answer: string | null;
}

export interface Sender {
  connections: Connections;
  /** Endpoints of test mode may be at private addresses. */
  privateTargets: boolean;
  answerLimitMs?: number;
  /** Ends every wait: we are closing. */
  stop: AbortSignal;
}

const ANSWER_LIMIT_MS = 15_000;
/** Kept in the log. */
const ANSWER_BYTES = 1_024;

/** @returns null when it was cut short because we are closing */
export async function attempt(sender: Sender, attempted: Attempt): Promise<AttemptReport | null> {
  const { connections, privateTargets, answerLimitMs = ANSWER_LIMIT_MS, stop } = sender;
  const { url, mode, eventId, body, secrets } = attempted;
  const startedAt = performance.now();
  let late = false;
  const send = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => {
      late = true;
    });
    return post({
      ...{ url, body, connections, signal, headers: signatureHeaders(eventId, new Date(), body, secrets) },
      ...{ publicOnly: isPublicOnly(mode, privateTargets), answerLimitBytes: ANSWER_BYTES, cut: true },
    });
  };
  const report = (result: AttemptResult, answer: string | null) => ({
    ...{ result, answer, latencyMs: Math.round(performance.now() - startedAt) },
  });
  try {
    const { status, headers, text } = await withinLimit(answerLimitMs, send, stop);
    // PostgreSQL's text takes anything but NUL.
    return report({ type: 'answered', status, retryAfter: headers['retry-after'] }, text.replaceAll('\u0000', ''));
  } catch (error) {
    if (stop.aborted) return null;
    const unreached = error instanceof ForbiddenAddress ? 'forbidden_address' : 'connection';
    return report({ type: 'unanswered', failure: late ? 'timeout' : unreached }, null);
  }
}
