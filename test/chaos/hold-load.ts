/** Captures and voids holds over REST: whole, in part, twice at once, and against each other. */
import type { Random } from '../support/random.ts';
import type { AnsweredCharge } from './charge-load.ts';

interface HoldLoadOptions {
  baseUrl: string;
  keys: readonly string[];
  random: Random;
  onAnswer(answer: AnsweredCharge): void;
  /** Called with an unexpected answer. */
  onUnexpected(answer: string): void;
}

/** Sends one or two changes of a hold, or none, so that some stay held. @returns false if one got no answer */
export async function changeHoldSomehow(options: HoldLoadOptions, chargeId: string): Promise<boolean> {
  const answers = await Promise.all(changesOf(options.random).map((change) => send(options, chargeId, change)));
  return answers.every((answered) => answered);
}

interface Change {
  verb: 'capture' | 'void';
  body: object;
}

function changesOf(random: Random): Change[] {
  const capture: Change = { verb: 'capture', body: random.oneIn(2) ? {} : { amount_cents: 1 + random.below(900) } };
  const release: Change = { verb: 'void', body: {} };
  return random.pick([[], [capture], [capture], [release], [capture, capture], [capture, release]]);
}

/** Longer than the slowest regular answer. */
const ANSWER_LIMIT_MS = 120_000;

async function send({ baseUrl, keys, random, ...options }: HoldLoadOptions, chargeId: string, { verb, body }: Change) {
  try {
    const response = await fetch(`${baseUrl}/v1/charges/${chargeId}/${verb}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${random.pick(keys as [string, ...string[]])}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
    });
    const answer = (await response.json()) as { status?: AnsweredCharge['status']; error?: { code: string } };
    if (response.status === 200 && answer.status !== undefined) options.onAnswer({ chargeId, status: answer.status });
    else if (!EXPECTED_ERRORS.has(answer.error?.code ?? ''))
      options.onUnexpected(`${response.status} ${verb} ${JSON.stringify(answer)}`);
    return true;
  } catch {
    // Without an answer, the audit determines what became of the hold.
    return false;
  }
}

/**
 * Another change came first or is pending, the outcome is unknown, a busy app read the request too late, or the database
 * is away.
 */
const EXPECTED_ERRORS = new Set([
  'charge_already_captured',
  'charge_already_voided',
  'capture_in_progress',
  'capture_refused',
  'processor_unavailable',
  'invalid_json',
  'rate_limit',
  'internal_error',
]);
