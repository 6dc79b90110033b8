/**
 * The documented test cards, for the sandbox, the documentation and the scripted caller. No bank issued these numbers;
 * test mode rejects all others. Any future expiry and any security code are accepted.
 */
import type { DeclineCode } from '../../domain/charge.ts';
import type { DisputeReason } from '../../domain/dispute.ts';

/** What the sandbox does with a card. */
export type Behaviour =
  | { kind: 'approves' }
  | { kind: 'declines'; code: DeclineCode }
  /** Declines until the field is keyed as in `accepts`. A saved card was checked when it was saved. */
  | { kind: 'checks'; code: DeclineCode; field: 'securityCode' | 'postalCode' | 'expiry'; accepts: RegExp }
  /** Approves after a delay. */
  | { kind: 'slow' }
  /** Never answers. `taken`: whether the money was taken. */
  | { kind: 'hangs'; taken: boolean }
  /** Returns a server error at once and has its outcome later. */
  | { kind: 'breaks'; code: DeclineCode | null }
  /**
   * The bank asks the payer to authenticate (3-D Secure). On the page, the sandbox's own dialog is shown. The payment
   * is then `approved`, or `declined` all the same, or `refused` because the payer failed, or `abandoned` without an
   * answer. On other channels the card declines.
   */
  | { kind: 'asks'; ends: ActionEnd };

export type ActionEnd = 'approved' | 'declined' | 'refused' | 'abandoned';

/** What the sandbox does with a refund of the card's payment. By default, it succeeds at once. */
export type RefundBehaviour =
  /** Pending first, settled some seconds later. */
  | { kind: 'slow'; ends: 'succeeded' | 'failed' }
  /** Succeeds at once, and fails some seconds later. */
  | { kind: 'fails_later' }
  /** Refunded, but never answered. */
  | { kind: 'hangs' }
  | { kind: 'refuses' };

/** What the sandbox does with a hold on the card. By default, it lasts a week and is captured or voided at once. */
export type HoldBehaviour =
  /** Expires a few seconds after the payment. */
  | { kind: 'expires' }
  /** Captured or voided, but never answered. */
  | { kind: 'hangs' }
  /** A capture is refused. */
  | { kind: 'refuses' };

/** The dispute that the card's bank opens some seconds after a payment. */
export interface DisputeBehaviour {
  reason: DisputeReason;
  /** Evidence was sent already: the bank decides some seconds later. Otherwise, it waits a week for evidence. */
  isAnswered: boolean;
  outcome: 'won' | 'lost';
}

export interface TestCard {
  /** Names the saved card's handle: `sandbox_<name>`. */
  name: string;
  number: string;
  behaviour: Behaviour;
  refund?: RefundBehaviour;
  /** Some seconds later, a part is refunded in the sandbox's own dashboard. */
  isRefundedElsewhere?: true;
  hold?: HoldBehaviour;
  dispute?: DisputeBehaviour;
  /** For the documentation. */
  about: string;
}

const approves: Behaviour = { kind: 'approves' };

function declining(number: string, code: DeclineCode, about: string): TestCard {
  return { name: code, number, behaviour: { kind: 'declines', code }, about };
}

/** Stripe's numbers, if Stripe has one for the case. */
export const TEST_CARDS: readonly TestCard[] = [
  { name: 'visa', number: '4242424242424242', behaviour: approves, about: 'Visa, approved' },
  { name: 'visa_classic', number: '4111111111111111', behaviour: approves, about: 'Visa of other sandboxes, approved' },
  { name: 'visa_debit', number: '4000056655665556', behaviour: approves, about: 'Visa debit, approved' },
  { name: 'mastercard', number: '5555555555554444', behaviour: approves, about: 'Mastercard, approved' },
  { name: 'mastercard_2', number: '2223003122003222', behaviour: approves, about: 'Mastercard 2-series, approved' },
  { name: 'amex', number: '378282246310005', behaviour: approves, about: 'American Express, approved' },
  { name: 'discover', number: '6011111111111117', behaviour: approves, about: 'Discover, approved' },

  declining('4000000000000002', 'generic_decline', 'Declined, the bank gives no reason'),
  declining('4000000000006108', 'do_not_honor', 'Declined, the bank says only "do not honor"'),
  declining('4000000000009995', 'insufficient_funds', 'Declined, not enough money'),
  declining('4000000000009987', 'lost_card', 'Declined, reported lost'),
  declining('4000000000009979', 'stolen_card', 'Declined, reported stolen'),
  declining('4000000000000069', 'expired_card', 'Declined, expired'),
  declining('4000000000006405', 'incorrect_number', 'Declined, no such account'),
  declining('4000000000000127', 'incorrect_cvc', 'Declined, wrong security code whatever is keyed'),
  declining('4000000000000119', 'processing_error', 'Not processed, the network had an error'),
  declining('4000000000006207', 'try_again_later', 'Not charged, the bank was unavailable'),
  declining('4000000000006504', 'card_not_supported', 'Declined, not for this kind of purchase'),

  {
    name: 'checks_security_code',
    number: '4000000000000101',
    behaviour: { kind: 'checks', code: 'incorrect_cvc', field: 'securityCode', accepts: /^123$/ },
    about: 'Declined as incorrect_cvc until the security code is 123',
  },
  {
    name: 'checks_postal_code',
    number: '4000000000000036',
    behaviour: { kind: 'checks', code: 'incorrect_zip', field: 'postalCode', accepts: /^12345$/ },
    about: 'Declined as incorrect_zip until the postal code is 12345; approved where none is asked for',
  },
  {
    name: 'checks_expiry',
    number: '4000000000006306',
    behaviour: { kind: 'checks', code: 'incorrect_expiry', field: 'expiry', accepts: /^12/ },
    about: 'Declined as incorrect_expiry until the month is December',
  },

  { name: 'slow', number: '4000000000006603', behaviour: { kind: 'slow' }, about: 'Approved after 12 seconds' },
  {
    name: 'hangs_taken',
    number: '4000000000006702',
    behaviour: { kind: 'hangs', taken: true },
    about: 'No answer, but the money was taken: pending, then succeeded',
  },
  {
    name: 'hangs_not_taken',
    number: '4000000000006801',
    behaviour: { kind: 'hangs', taken: false },
    about: 'No answer, and no money was taken: pending, then failed when that is certain, three minutes later',
  },
  {
    name: 'breaks_then_succeeds',
    number: '4000000000006900',
    behaviour: { kind: 'breaks', code: null },
    about: 'Server error, then the money is taken 3 seconds later: pending, then succeeded',
  },
  {
    name: 'breaks_then_declines',
    number: '4000000000007007',
    behaviour: { kind: 'breaks', code: 'do_not_honor' },
    about: 'Server error, then a decline 3 seconds later: pending, then failed',
  },

  {
    name: 'asks_approved',
    number: '4000000000003220',
    behaviour: { kind: 'asks', ends: 'approved' },
    about: 'On the pay page the bank asks to confirm (3-D Secure), then approves; on a call authentication_required',
  },
  {
    name: 'asks_declined',
    number: '4000008400001629',
    behaviour: { kind: 'asks', ends: 'declined' },
    about: 'On the pay page the bank asks to confirm, then declines all the same; on a call authentication_required',
  },
  {
    name: 'asks_refused',
    number: '4000000000003105',
    behaviour: { kind: 'asks', ends: 'refused' },
    about: 'On the pay page the bank asks to confirm and does not recognize the payer: authentication_required',
  },
  {
    name: 'asks_abandoned',
    number: '4000000000003204',
    behaviour: { kind: 'asks', ends: 'abandoned' },
    about: 'On the pay page the bank asks to confirm and never gets an answer: failed after ten minutes',
  },

  {
    name: 'refund_dawdles',
    number: '4000000000007726',
    behaviour: approves,
    refund: { kind: 'slow', ends: 'succeeded' },
    about: 'Approved; a refund is pending, then succeeds after 3 seconds',
  },
  {
    name: 'refund_fails',
    number: '4000000000007106',
    behaviour: approves,
    refund: { kind: 'slow', ends: 'failed' },
    about: 'Approved; a refund is pending, then fails after 3 seconds',
  },
  {
    name: 'refund_hangs',
    number: '4000000000007205',
    behaviour: approves,
    refund: { kind: 'hangs' },
    about: 'Approved; a refund gets no answer, but is made: pending, then succeeded',
  },
  {
    name: 'refund_refused',
    number: '4000000000007304',
    behaviour: approves,
    refund: { kind: 'refuses' },
    about: 'Approved; a refund is refused',
  },
  {
    name: 'refund_fails_later',
    number: '4000000000005126',
    behaviour: approves,
    refund: { kind: 'fails_later' },
    about: 'Approved; a refund succeeds, then fails after 3 seconds',
  },
  {
    name: 'refunded_elsewhere',
    number: '4000000000007809',
    behaviour: approves,
    isRefundedElsewhere: true,
    about: 'Approved; 3 seconds later 1.00 is refunded in the processor’s own dashboard',
  },

  {
    name: 'hold_expires',
    number: '4000000000008005',
    behaviour: approves,
    hold: { kind: 'expires' },
    about: 'Approved; with manual capture, the hold expires after 3 seconds',
  },
  {
    name: 'hold_hangs',
    number: '4000000000008104',
    behaviour: approves,
    hold: { kind: 'hangs' },
    about: 'Approved; a capture or void of its hold gets no answer at first, but is made: a webhook reports it',
  },
  {
    name: 'hold_refused',
    number: '4000000000008203',
    behaviour: approves,
    hold: { kind: 'refuses' },
    about: 'Approved; a capture of its hold is refused',
  },

  {
    name: 'disputed',
    number: '4000000000000259',
    behaviour: approves,
    dispute: { reason: 'fraudulent', isAnswered: false, outcome: 'lost' },
    about: 'Approved; 3 seconds later the bank disputes it as fraudulent and waits a week for evidence',
  },
  {
    name: 'dispute_won',
    number: '4000000000002685',
    behaviour: approves,
    dispute: { reason: 'not_received', isAnswered: true, outcome: 'won' },
    about: 'Approved; 3 seconds later the bank reviews a dispute, which is won 30 seconds after that',
  },
  {
    name: 'paid_out',
    number: '4000000000000077',
    behaviour: approves,
    about: 'Approved; 3 seconds later the processor reports a payout and its fee',
  },
];

const PREFIX = 'sandbox_';

/** The handle of a saved test card at this processor. */
export function handleOf(card: TestCard): string {
  return PREFIX + card.name;
}

/** The documented card with this number; null if there is none. */
export function testCardByNumber(number: string): TestCard | null {
  return TEST_CARDS.find((card) => card.number === number) ?? null;
}

/** The documented card with this name, such as `visa` or `insufficient_funds`. @throws if there is none */
export function testCard(name: string): TestCard {
  const card = TEST_CARDS.find((candidate) => candidate.name === name);
  if (card === undefined) throw new Error(`no test card is named ${name}`);
  return card;
}

/** The end of the card's 3-D Secure dialog. @throws if it has none */
export function endOfAction(name: string | null): ActionEnd {
  const behaviour = TEST_CARDS.find((card) => card.name === name)?.behaviour;
  if (behaviour?.kind !== 'asks') throw new Error('a sandbox payment waits whose card asks for nothing');
  return behaviour.ends;
}

/** The card of a handle from {@link handleOf}; null for any other text. */
export function testCardByHandle(handle: string): TestCard | null {
  return TEST_CARDS.find((card) => handleOf(card) === handle) ?? null;
}

const TOKEN_PREFIX = 'tok_';
/** The token from the pay page's fake wallet. */
export const SANDBOX_WALLET_TOKEN = `${TOKEN_PREFIX}visa`;
export const SANDBOX_TOKEN = /^tok_[a-z0-9_]{1,60}$/;

/** The card of a token such as `tok_visa`, as a processor's page would create it; null for any other text. */
export function testCardByToken(token: string): TestCard | null {
  return TEST_CARDS.find((card) => TOKEN_PREFIX + card.name === token) ?? null;
}
