/** A load of concurrent clients that charge saved cards, and capture and void their holds, over REST until the service stops answering. */
import type { InstrumentId } from '../../src/domain/ids.ts';
import type { Random } from '../support/random.ts';
import { changeHoldSomehow } from './hold-load.ts';
import type { PayableSession } from './saved-card-sessions.ts';

/** The answer that a client received for a charge. */
export interface AnsweredCharge {
  chargeId: string;
  status: 'pending' | 'authorized' | 'succeeded' | 'voided' | 'failed';
}

export interface ChargeLoad {
  /** The number of requests without an answer yet. */
  readonly inFlight: number;
  /** The sessions whose requests were never answered. */
  readonly interrupted: readonly PayableSession[];
  /** Resolves when every client has ended: the service is gone, or `stop` was called. */
  readonly over: Promise<void>;
  stop(): void;
}

interface ChargeLoadOptions {
  baseUrl: string;
  /** API keys, used in turn so that no rate limit is reached. */
  keys: readonly string[];
  sessions: readonly PayableSession[];
  /** Charges that are held: some requests capture or void one of them. */
  held?: readonly string[];
  clients: number;
  random: Random;
  onAnswer(answer: AnsweredCharge): void;
  /** Called with an unexpected answer. */
  onUnexpected(answer: string): void;
  /** Whether a client ends when it gets no answer. Otherwise it continues until {@link ChargeLoad.stop}. */
  endsWithService: boolean;
}

/** Starts all clients. */
export function startChargeLoad(options: ChargeLoadOptions): ChargeLoad {
  let stopped = false;
  const interrupted: PayableSession[] = [];
  let inFlight = 0;

  async function client(): Promise<void> {
    for (let answered = true; answered && !stopped; ) {
      const { held = [] } = options;
      const [one] = held.slice(options.random.below(Math.max(1, held.length)));
      if (one !== undefined && options.random.oneIn(3)) {
        answered = (await changeHoldSomehow(options, one)) || !options.endsWithService;
        continue;
      }
      const session = options.sessions[options.random.below(options.sessions.length)];
      if (session === undefined) return;
      const answers = await Promise.all(
        cardsForRequest(session, options.random).map((card) => sendCharge(session, card)),
      );
      answered = !options.endsWithService || answers.every((one) => one);
    }
  }

  async function sendCharge(session: PayableSession, card: InstrumentId): Promise<boolean> {
    inFlight += 1;
    try {
      const answer = await ask(options, session, card);
      read(options, answer);
      const { charge_id: held, status } = answer.body;
      return held === undefined || status !== 'authorized' || (await changeHoldSomehow(options, held));
    } catch {
      // Without an answer, the audit determines the outcome of the charge.
      interrupted.push(session);
      return false;
    } finally {
      inFlight -= 1;
    }
  }

  const all = Promise.all(Array.from({ length: options.clients }, client));
  return {
    get inFlight() {
      return inFlight;
    },
    interrupted,
    over: all.then(() => undefined),
    stop() {
      stopped = true;
    },
  };
}

/** One request, or two with the same card, or two with different ones, at once. */
function cardsForRequest(session: PayableSession, random: Random): InstrumentId[] {
  const card = session.pickCard(random);
  const chance = random.below(10);
  if (chance < 6) return [card];
  return chance < 8 ? [card, card] : [card, session.pickCard(random)];
}

/** Longer than the slowest regular answer. */
const ANSWER_LIMIT_MS = 120_000;

async function ask(options: ChargeLoadOptions, session: PayableSession, card: InstrumentId) {
  const response = await fetch(`${options.baseUrl}/v1/charge`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${options.keys[options.random.below(options.keys.length)]}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ checkout_session_id: session.sessionId, instrument_id: card }),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  return { status: response.status, body: (await response.json()) as AnswerBody };
}

interface AnswerBody {
  charge_id?: string;
  status?: AnsweredCharge['status'];
  error?: { code: string; charge?: string };
}

function read(options: ChargeLoadOptions, { status, body }: { status: number; body: AnswerBody }): void {
  const { error } = body;
  if (status === 200 && body.charge_id !== undefined && body.status !== undefined) {
    options.onAnswer({ chargeId: body.charge_id, status: body.status });
  } else if (error?.code === 'card_declined' && error.charge !== undefined) {
    options.onAnswer({ chargeId: error.charge, status: 'failed' });
  } else if (error?.code === 'processor_unavailable' && error.charge !== undefined) {
    options.onAnswer({ chargeId: error.charge, status: 'pending' });
  } else if (!EXPECTED_ERRORS.has(`${status} ${error?.code}`)) {
    options.onUnexpected(`${status} ${JSON.stringify(body)}`);
  }
}

/**
 * Errors that charge nothing: a busy app read the request too late, another card is being charged, too many declines or
 * requests, the database is away.
 */
const EXPECTED_ERRORS = new Set([
  '408 invalid_json',
  '409 charge_details_mismatch',
  '410 session_expired',
  '429 rate_limit',
  '500 internal_error',
  '503 internal_error',
]);
