/** One delivery attempt: a signed POST and its result. */

import type { ConnectionFailure, DeliveryFailure } from '../../domain/delivery-failure.ts';
import type { EventId } from '../../domain/ids.ts';
import type { Mode } from '../../domain/session.ts';
import { TimeLimit, withinLimit } from '../../lib/concurrency/time-limit.ts';
import { type Connections, post } from '../../lib/http-client/post.ts';
import { ForbiddenAddress, isPublicOnly } from '../../lib/http-client/public-addresses.ts';
import { signatureHeaders } from '../../lib/http-client/signature.ts';
import { inSpan, traceHeaders } from '../../lib/observability/trace.ts';
import { connectionFailure } from './connection-failure.ts';
import { parseRetryAfter } from './retry-schedule.ts';

interface Attempt {
  url: string;
  mode: Mode;
  endpointId: string;
  eventId: EventId;
  /** Number of earlier attempts. */
  attempts: number;
  body: string;
  /** Newest first. */
  secrets: readonly string[];
}

type Failure = Exclude<DeliveryFailure, 'too_old'>;

export interface AttemptReport {
  /** The signed time. */
  sentAt: Date;
  /** The value of `webhook-signature`. */
  signature: string;
  /** Null: delivered. */
  failure: Failure | null;
  /** The cause of the failure `connection`, if it is known. */
  failureDetail: ConnectionFailure | null;
  /** Null without a response, like `answer`. */
  statusCode: number | null;
  /** Its first 1 KiB. */
  answer: string | null;
  /** The endpoint's Retry-After; 0 without one. */
  retryAfterMs: number;
  /** Until the response, or the end of the wait. */
  latencyMs: number;
}

export interface Sender {
  connections: Connections;
  /** Endpoints of test mode can have private addresses. */
  privateTargets: boolean;
  answerLimitMs?: number;
  /** Aborts every wait at shutdown. */
  stop: AbortSignal;
}

const ANSWER_LIMIT_MS = 15_000;
const ANSWER_BYTES = 1_024;

/** Never throws. @returns null if the shutdown aborted it */
export function attempt(sender: Sender, attempted: Attempt): Promise<AttemptReport | null> {
  const { endpointId, eventId, mode, attempts } = attempted;
  return inSpan(
    'webhook delivery',
    { endpointId, eventId, mode, attempt: attempts + 1 },
    async (span) => {
      const report = await send(sender, attempted);
      if (report === null) return null;
      span.set({ outcome: report.failureDetail ?? report.failure ?? 'delivered', status: report.statusCode });
      if (report.failure !== null) span.fail();
      return report;
    },
    // The job is read in a batch of many, and of no one's trace.
    { kind: 'client', isRoot: true },
  );
}

async function send(sender: Sender, attempted: Attempt): Promise<AttemptReport | null> {
  const { connections, privateTargets, answerLimitMs = ANSWER_LIMIT_MS, stop } = sender;
  const { url, mode, eventId, body, secrets } = attempted;
  const startedAt = performance.now();
  const sentAt = new Date();
  const signed = signatureHeaders(eventId, sentAt, body, secrets);
  const sent = { sentAt, signature: signed['webhook-signature'] };
  const latencyMs = () => Math.round(performance.now() - startedAt);
  const postOnce = (signal: AbortSignal) =>
    post({
      url,
      body,
      connections,
      signal,
      headers: { ...signed, ...traceHeaders() },
      publicOnly: isPublicOnly(mode, privateTargets),
      answerLimitBytes: ANSWER_BYTES,
      cut: true,
    });
  try {
    const { status, headers, text } = await withinLimit(answerLimitMs, postOnce, stop);
    const retryAfterMs = parseRetryAfter(headers['retry-after'], new Date());
    // PostgreSQL's text type accepts anything except NUL.
    const answer = text.replaceAll('\u0000', '');
    return {
      failure: failureOfStatus(status),
      failureDetail: null,
      ...sent,
      statusCode: status,
      answer,
      retryAfterMs,
      latencyMs: latencyMs(),
    };
  } catch (error) {
    if (stop.aborted) return null;
    const nothing = { statusCode: null, answer: null, retryAfterMs: 0 };
    const failure = failureOf(error);
    const failureDetail = failure === 'connection' ? connectionFailure(error) : null;
    return { failure, failureDetail, ...sent, ...nothing, latencyMs: latencyMs() };
  }
}

/** Null: success. */
export function failureOfStatus(status: number): Failure | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

function failureOf(error: unknown): Failure {
  if (error instanceof ForbiddenAddress) return 'forbidden_address';
  const isLate = error instanceof TimeLimit || (error instanceof Error && error.name === 'AbortError');
  return isLate ? 'timeout' : 'connection';
}
