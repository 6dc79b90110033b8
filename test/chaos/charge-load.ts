/** Integrators who charge saved cards over REST, again and again and at the same time, until nobody answers. */
import type { InstrumentId } from '../../src/domain/ids.ts';
import type { Random } from '../support/random.ts';
import type { PayableSession } from './saved-card-sessions.ts';

/** What a client was told of a charge. */
export interface AnsweredCharge {
  chargeId: string;
  status: 'pending' | 'succeeded' | 'failed';
}

export interface ChargeLoad {
  /** Requests that have no answer yet. */
  readonly underWay: number;
  /** Orders of the requests that never got one. */
  readonly cutShort: readonly PayableSession[];
  /** Resolves when every shopper has gone home: the service is gone, or `stop` was called. */
  readonly over: Promise<void>;
  stop(): void;
}

export interface ChargeLoadOptions {
  baseUrl: string;
  /** Keys take turns: none of them shall be limited by its rate. */
  keys: readonly string[];
  orders: readonly PayableSession[];
  shoppers: number;
  random: Random;
  told(told: AnsweredCharge): void;
  /** An answer that no rule foresees. */
  odd(answer: string): void;
  /** Whether no answer ends a shopper's trip; where not, he asks on until {@link ChargeLoad.stop}. */
  endsWithService: boolean;
}

/** Starts them all. */
export function startChargeLoad(options: ChargeLoadOptions): ChargeLoad {
  let stopped = false;
  const cutShort: PayableSession[] = [];
  let underWay = 0;

  async function shopper(): Promise<void> {
    for (let answered = true; answered && !stopped; ) {
      const order = options.orders[options.random.below(options.orders.length)];
      if (order === undefined) return;
      const answers = await Promise.all(shotsAt(order, options.random).map((card) => shoot(order, card)));
      answered = !options.endsWithService || answers.every((one) => one);
    }
  }

  async function shoot(order: PayableSession, card: InstrumentId): Promise<boolean> {
    underWay += 1;
    try {
      read(options, await ask(options, order, card));
      return true;
    } catch {
      // Nobody answered: what became of the charge is what the test is about.
      cutShort.push(order);
      return false;
    } finally {
      underWay -= 1;
    }
  }

  const all = Promise.all(Array.from({ length: options.shoppers }, shopper));
  return {
    get underWay() {
      return underWay;
    },
    cutShort,
    over: all.then(() => undefined),
    stop() {
      stopped = true;
    },
  };
}

/** One request, or two with the same card, or two with different ones, at once. */
function shotsAt(order: PayableSession, random: Random): InstrumentId[] {
  const card = order.pickCard(random);
  const chance = random.below(10);
  if (chance < 6) return [card];
  return chance < 8 ? [card, card] : [card, order.pickCard(random)];
}

/** Longer than the slowest honest answer. */
const ANSWER_LIMIT_MS = 60_000;

async function ask(options: ChargeLoadOptions, order: PayableSession, card: InstrumentId) {
  const response = await fetch(`${options.baseUrl}/v1/charge`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${options.keys[options.random.below(options.keys.length)]}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ checkout_session_id: order.sessionId, instrument_id: card }),
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
    options.told({ chargeId: body.charge_id, status: body.status });
  } else if (error?.code === 'card_declined' && error.charge !== undefined) {
    options.told({ chargeId: error.charge, status: 'failed' });
  } else if (error?.code === 'processor_unavailable' && error.charge !== undefined) {
    options.told({ chargeId: error.charge, status: 'pending' });
  } else if (!FORESEEN.has(`${status} ${error?.code}`)) {
    options.odd(`${status} ${JSON.stringify(body)}`);
  }
}

/** Another card is at it; too many declines, too many requests; the record is away: nothing was charged. */
const FORESEEN = new Set([
  '409 charge_details_mismatch',
  '410 session_expired',
  '429 rate_limit',
  '500 internal_error',
  '503 internal_error',
]);
