/** One attempt to deliver: a signed POST, and what came of it. Never throws. */
import type { EventId } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import { ForbiddenAddress, isPublicOnly } from '../outgoing-http/public-addresses.ts';
import { type Connections, post } from '../outgoing-http/post.ts';
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
  limitMs: number;
  /** Ends every wait: we are closing. */
  stop: AbortSignal;
}

/** Kept in the log. */
const ANSWER_BYTES = 1_024;

/** @returns null when it was cut short because we are closing */
export async function attempt(
  sender: Sender,
  { url, mode, eventId, body, secrets }: Attempt,
): Promise<AttemptReport | null> {
  const startedAt = performance.now();
  const limit = new AbortController();
  const end = () => limit.abort();
  const timer = setTimeout(end, sender.limitMs);
  sender.stop.addEventListener('abort', end);
  const latencyMs = () => Math.round(performance.now() - startedAt);
  try {
    const answer = await post({
      url,
      body,
      headers: signatureHeaders(eventId, new Date(), body, secrets),
      publicOnly: isPublicOnly(mode, sender.privateTargets),
      answerLimitBytes: ANSWER_BYTES,
      cut: true,
      connections: sender.connections,
      signal: limit.signal,
    });
    const retryAfter = answer.headers['retry-after'];
    const result: AttemptResult = { type: 'answered', status: answer.status, retryAfter };
    return { result, latencyMs: latencyMs(), answer: storable(answer.text) };
  } catch (error) {
    if (sender.stop.aborted) return null;
    const failure = limit.signal.aborted ? 'timeout' : isForbidden(error) ? 'forbidden_address' : 'connection';
    return { result: { type: 'unanswered', failure }, latencyMs: latencyMs(), answer: null };
  } finally {
    clearTimeout(timer);
    sender.stop.removeEventListener('abort', end);
  }
}

function isForbidden(error: unknown): boolean {
  return error instanceof ForbiddenAddress;
}

/** PostgreSQL's text takes anything but NUL; a character that was cut in two stays as its mark. */
function storable(text: string): string {
  return text.replaceAll('\u0000', '');
}
