/**
 * Asks an account's attestation URL how the carriers attest a call: a POST signed by Standard Webhooks with the secret
 * of its SIP headers. Each failure becomes a note. A failing URL is not asked for a while, and does not delay those of
 * other accounts.
 */
import { z } from 'zod';
import type { AccountId } from '../../domain/ids.ts';
import { ATTESTATIONS, type AttestationAnswer, type AttestationNote } from '../../domain/screening.ts';
import { type Circuit, createCircuit } from '../../lib/concurrency/circuit.ts';
import { AnswerTooLong, type OutboundAnswer, post } from '../../lib/http-client/post.ts';
import { isPublicOnly } from '../../lib/http-client/public-addresses.ts';
import { signatureHeaders } from '../../lib/http-client/signature.ts';
import type { AttestationQuestion, AttestationSource } from '../ports.ts';

export interface HttpAttestationsDeps {
  /** The key of an account's signatures, base64; null if it cannot be opened. */
  secretOf: (accountId: AccountId) => Promise<string | null>;
  /** URLs of test mode can lead to private addresses. */
  privateTargets: boolean;
  now?: () => Date;
  /** 2 s by default. */
  limitMs?: number;
}

const LIMIT_MS = 2_000;
/** Far more than a real response has. */
const ANSWER_LIMIT_BYTES = 16 * 1_024;
const MAX_FAILURES = 5;
const REST_MS = 30_000;
/** Concurrent requests to one URL. */
const MAX_IN_FLIGHT = 20;
/** Maximum number of URLs with a circuit. */
const MAX_TARGETS = 1_000;

/** Other members are ignored. A call ID in the response must match the request. */
const Answer = z.object({
  attestation: z.enum(ATTESTATIONS).nullable(),
  platform_call_id: z.string().nullish(),
  caller_phone: z.string().nullish(),
});

interface Target {
  circuit: Circuit;
  inFlight: number;
}

type UrlQuestion = AttestationQuestion & { url: string };

const noted = (note: AttestationNote): AttestationAnswer => ({ attestation: null, note });
/** Results that are no fault of the URL. */
const isHealthy = (answer: AttestationAnswer) => answer.attestation !== null || answer.note === 'attestation_missing';

export function createHttpAttestations(deps: HttpAttestationsDeps): AttestationSource {
  const targets = new Map<string, Target>();
  return {
    name: 'http',
    async ask({ url, ...question }, signal) {
      if (url === null) return null;
      const target = targetOf(targets, `${question.accountId} ${question.mode} ${url}`);
      if (target.inFlight >= MAX_IN_FLIGHT || !target.circuit.tryNow()) return noted('attestation_unavailable');
      target.inFlight += 1;
      const limit = AbortSignal.any([signal, AbortSignal.timeout(deps.limitMs ?? LIMIT_MS)]);
      const answer = await askUrl(deps, { ...question, url }, limit).catch((error: unknown) =>
        failureOf(error, limit.aborted),
      );
      target.inFlight -= 1;
      target.circuit.record(isHealthy(answer) ? 'success' : 'failure');
      return answer;
    },
  };
}

/** Finds or adds a URL's state. Evicts the least recently added. */
function targetOf(targets: Map<string, Target>, name: string): Target {
  const known = targets.get(name);
  if (known !== undefined) return known;
  const [oldest] = targets.keys();
  if (oldest !== undefined && targets.size >= MAX_TARGETS) targets.delete(oldest);
  const target = { circuit: createCircuit({ maxFailures: MAX_FAILURES, restMs: REST_MS }), inFlight: 0 };
  targets.set(name, target);
  return target;
}

function failureOf(error: unknown, isLate: boolean): AttestationAnswer {
  if (isLate) return noted('attestation_timed_out');
  return noted(error instanceof AnswerTooLong ? 'attestation_unreadable' : 'attestation_unavailable');
}

/** Signed POST `{platform_call_id, caller_phone, mode}` → 200 `{attestation}`. @throws without a valid response */
async function askUrl(
  { secretOf, privateTargets, now = () => new Date() }: HttpAttestationsDeps,
  question: UrlQuestion,
  signal: AbortSignal,
): Promise<AttestationAnswer> {
  const secret = await secretOf(question.accountId);
  if (secret === null) return noted('attestation_unavailable');
  const { mode, number: caller_phone, platformCallId: platform_call_id } = question;
  const body = JSON.stringify({ platform_call_id, caller_phone, mode });
  const answer = await post({
    url: question.url,
    body,
    headers: signatureHeaders(question.sessionId, now(), body, [secret]),
    publicOnly: isPublicOnly(mode, privateTargets),
    answerLimitBytes: ANSWER_LIMIT_BYTES,
    signal,
  });
  return answerOf(answer, { platform_call_id, caller_phone });
}

function answerOf(
  { status, text }: OutboundAnswer,
  sent: { platform_call_id: string; caller_phone: string },
): AttestationAnswer {
  if (status === 404) return noted('attestation_missing');
  if (status === 429) return noted('attestation_rate_limited');
  if (status >= 500) return noted('attestation_unavailable');
  if (status !== 200) return noted('attestation_refused');
  const { data } = Answer.safeParse(parseJson(text));
  if (data === undefined) return noted('attestation_unreadable');
  const isOfCall = (data.platform_call_id ?? sent.platform_call_id) === sent.platform_call_id;
  const isOfNumber = (data.caller_phone ?? sent.caller_phone) === sent.caller_phone;
  if (!isOfCall || !isOfNumber) return noted('attestation_unreadable');
  return data.attestation === null ? noted('attestation_missing') : { attestation: data.attestation };
}

/** Undefined for invalid JSON. The parser's error would repeat the text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
