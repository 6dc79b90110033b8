/**
 * One request to a carrier's REST API. Without a response, it returns whether the request may have reached the carrier.
 */
import type { SendAnswer } from './ports.ts';

export type CarrierAnswer =
  | { type: 'answered'; status: number; retryAfterMs: number | null; json: unknown }
  /** `sent`: it may have reached the carrier. */
  | { type: 'unanswered'; sent: boolean; cause: string };

/** The connection was never made, so nothing was sent. */
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Never throws. */
export async function askCarrier(url: string, init: RequestInit): Promise<CarrierAnswer> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual' });
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
    return { type: 'answered', status: response.status, retryAfterMs, json: parsed(await response.text()) };
  } catch (error) {
    const { cause } = error as { cause?: { code?: string; syscall?: string } };
    const code = cause?.code ?? (error instanceof Error ? error.name : 'error');
    // An aggregate has one error for each address of a host. They are tried before there is a connection.
    const isConnecting = cause instanceof AggregateError || cause?.syscall === 'connect';
    return { type: 'unanswered', sent: !isConnecting && !NEVER_CONNECTED.has(code), cause: code };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The carrier's response format. */
export interface CarrierWords {
  acceptedStatus: number;
  /** The carrier's ID of the text; null if the response has none. */
  messageIdOf(json: unknown): string | null;
  /** The carrier's code of a failure. */
  failureCodeOf(json: unknown): string | undefined;
  /** The carrier's code for a recipient who replied STOP. */
  optedOutCode: string;
}

/** Maps the response to a text. */
export function sendAnswerOf(answer: CarrierAnswer, words: CarrierWords): SendAnswer {
  if (answer.type === 'unanswered') {
    const { sent, cause } = answer;
    return sent ? { status: 'unknown', cause } : { status: 'not_taken', cause, retryAfterMs: null };
  }
  const { status, json, retryAfterMs } = answer;
  const carrierMessageId = status === words.acceptedStatus ? words.messageIdOf(json) : null;
  if (carrierMessageId !== null) return { status: 'accepted', carrierMessageId };
  const code = words.failureCodeOf(json) ?? String(status);
  if (code === words.optedOutCode) return { status: 'refused', code, optedOut: true };
  // 401, 403: our settings are wrong, and the operator can fix them. 429: too fast.
  if (status === 401 || status === 403 || status === 429) return { status: 'not_taken', cause: code, retryAfterMs };
  if (status >= 400 && status < 500) return { status: 'refused', code, optedOut: false };
  return { status: 'unknown', cause: String(status) };
}
