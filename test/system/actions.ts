/** What clients and payers do over HTTP, at random: saved cards, holds, charges by the merchant, pay links, refunds. */
import { newId } from '../../src/domain/ids.ts';
import { type AnsweredCharge, startChargeLoad } from '../chaos/charge-load.ts';
import { type PageSession, visitPayPage } from '../chaos/page-load.ts';
import { type RefundRequest, runRefundLoad } from '../chaos/refund-load.ts';
import type { PayableSession } from '../chaos/saved-card-sessions.ts';
import type { Random } from '../support/random.ts';
import { notifyProcessor } from './notifications.ts';
import { ask, newCallerNumber, type SystemRun } from './run.ts';

const MERCHANT = 'mer_demo_diner';

/** Names of test cards; more likely ones appear more often. Slow ones would only make the run longer. */
const CARDS_OF_HOLDS: readonly [string, ...string[]] = [
  'visa',
  'visa',
  'visa',
  'mastercard',
  'mastercard',
  'do_not_honor',
  'insufficient_funds',
  'breaks_then_succeeds',
  'breaks_then_declines',
  'hold_hangs',
  'hold_refused',
  'refund_dawdles',
  'refund_fails',
  'refund_fails_later',
  'refund_refused',
];
/** What the sandbox does later by itself, it does for payments only. */
const CARDS: readonly [string, ...string[]] = [
  ...CARDS_OF_HOLDS,
  'refunded_elsewhere',
  'disputed',
  'dispute_won',
  'paid_out',
];

type Action = (run: SystemRun, random: Random) => Promise<void>;

const ACTIONS: readonly [Action, ...Action[]] = [
  chargeSavedCards,
  chargeSavedCards,
  chargeSavedCards,
  chargeWithoutCaller,
  payOnLink,
  payOnLink,
  refundCharges,
  refundCharges,
  notifyProcessor,
];

export function actSomehow(run: SystemRun, random: Random): Promise<void> {
  return random.pick(ACTIONS)(run, random);
}

/** Several requests for one checkout, some at once. If it is a hold, some of them capture or void it. */
async function chargeSavedCards(run: SystemRun, random: Random): Promise<void> {
  const session = await sessionWithCards(run, random);
  if (session === null) return;
  let left = 1 + random.below(4);
  const load = startChargeLoad({
    baseUrl: run.baseUrl,
    keys: run.keys,
    sessions: [
      {
        ...session,
        pickCard(chance) {
          left -= 1;
          // The first is picked while the load starts.
          if (left <= 0) queueMicrotask(() => load.stop());
          return session.pickCard(chance);
        },
      },
    ],
    clients: 1,
    random,
    onAnswer: (answer) => run.charges.push(answer),
    onUnexpected: (answer) => run.unexpected.push(answer),
    endsWithService: false,
  });
  await load.over;
}

/** A checkout of a new caller who has saved two cards. */
async function sessionWithCards(run: SystemRun, random: Random): Promise<PayableSession | null> {
  const caller = { merchant_id: MERCHANT, caller_phone: newCallerNumber() };
  const capture = random.oneIn(3) ? 'manual' : 'automatic';
  for (let saved = 0; saved < 2; saved += 1) {
    const card = random.pick(capture === 'manual' ? CARDS_OF_HOLDS : CARDS);
    await ask(run, '/v1/cards', { ...caller, token: `tok_${card}` });
  }
  const amount_cents = 500 + random.below(20_000);
  const checkout = await ask(run, '/v1/create_checkout', { ...caller, amount_cents, capture });
  if (checkout === null) return null;
  const { checkout_session_id: sessionId, cards } = checkout as {
    checkout_session_id: PayableSession['sessionId'];
    cards: { instrument_id: ReturnType<PayableSession['pickCard']> }[];
  };
  const [first, ...others] = cards.map(({ instrument_id }) => instrument_id);
  if (first === undefined) throw new Error('a caller has no saved cards');
  return { sessionId, pickCard: (chance) => chance.pick([first, ...others]) };
}

/** The merchant charges a card whose caller agreed to it, and sends the request twice at once. */
async function chargeWithoutCaller(run: SystemRun, random: Random): Promise<void> {
  const caller_phone = newCallerNumber();
  const token = `tok_${random.pick(CARDS)}`;
  const terms = { save_terms: 'merchant_initiated', max_amount_cents: 10_000 };
  const card = await ask(run, '/v1/cards', { merchant_id: MERCHANT, caller_phone, token, ...terms });
  if (card === null) return;
  const { instrument_id } = card;
  // One in eleven is more than the caller agreed to.
  const amount_cents = 100 + random.below(11_000);
  const body = {
    initiator: 'merchant',
    merchant_id: MERCHANT,
    instrument_id,
    amount_cents,
    order_id: `fee-${caller_phone.slice(-4)}`,
  };
  const [key, errors] = [newId('Request'), ['card_declined', 'processor_unavailable', 'consent_exceeded']];
  const answers = await Promise.all([1, 2].map(() => ask(run, '/v1/charges', body, { key, errors })));
  const ids = new Set(answers.flatMap((answer) => (answer === null ? [] : [String(answer.charge_id)])));
  if (ids.size > 1) run.unexpected.push(`two charges of one key: ${[...ids]}`);
  for (const answer of answers) {
    if (answer === null) continue;
    run.charges.push({ chargeId: String(answer.charge_id), status: answer.status as AnsweredCharge['status'] });
  }
}

/** The payer opens the link a few times, in one window or two, with cards of all kinds. */
async function payOnLink(run: SystemRun, random: Random): Promise<void> {
  const body = { merchant_id: MERCHANT, caller_phone: newCallerNumber(), amount_cents: 500 + random.below(20_000) };
  const checkout = await ask(run, '/v1/create_checkout', body);
  if (checkout === null) return;
  const sessionId = String(checkout.checkout_session_id);
  const link = await ask(run, '/v1/send_link', { checkout_session_id: sessionId });
  if (link === null) return;
  const page: PageSession = { sessionId, url: run.baseUrl + new URL(String(link.pay_url)).pathname };
  const options = {
    random,
    paid: (id: string) => run.receipts.add(id),
    onUnexpected: (what: string) => run.unexpected.push(`${sessionId} on the page: ${what}`),
  };
  const visit = async () => {
    for (let visits = 1 + random.below(4); visits > 0; visits -= 1) {
      // Without an answer, the payer opens the page again.
      await visitPayPage(options, page).catch(() => false);
    }
  };
  await Promise.all(random.oneIn(3) ? [visit(), visit()] : [visit()]);
}

/** Refunds a paid charge in parts, two at once, each request until it is answered. */
async function refundCharges(run: SystemRun, random: Random): Promise<void> {
  const { rows } = await run.database.query<{ id: string }>(
    `select id from charges where status = 'succeeded' and amount_cents > 0 order by created_at desc limit 10`,
  );
  const charge = rows[random.below(rows.length)];
  if (charge === undefined) return;
  let left = 1 + random.below(3);
  const isOver = () => {
    left -= 1;
    return left <= 0;
  };
  let again: readonly RefundRequest[] = [];
  do {
    again = await runRefundLoad({
      baseUrl: run.baseUrl,
      keys: run.keys,
      charges: [charge.id],
      again,
      clients: Math.max(2, again.length),
      random,
      onAnswer: (answer) => run.refunds.push(answer),
      onUnexpected: (answer) => run.unexpected.push(`refund of ${charge.id}: ${answer}`),
      isOver,
    });
  } while (again.length > 0);
}
