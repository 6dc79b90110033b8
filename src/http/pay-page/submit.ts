/**
 * Takes the payment of a page's form. Whatever comes of it is read from the database by the page that the payer is sent
 * to.
 */
import { createHash } from 'node:crypto';
import { findChargeByKey } from '../../db/charges/charges.ts';
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import { type Charge, WALLETS, type Wallet } from '../../domain/charge.ts';
import type { CardConsent } from '../../domain/consent.ts';
import { isToken, parseId, TOKEN_LENGTH } from '../../domain/ids.ts';
import type { Fault } from '../../languages/page.ts';
import type { PaymentCard } from '../../payments/card.ts';
import type { Log } from '../../payments/deps.ts';
import { SANDBOX_WALLET_TOKEN } from '../../payments/sandbox/cards.ts';
import type { PaymentRefusal, PaymentResult } from '../../payments/take-payment.ts';
import { keyedCardFrom } from './card-fields.ts';
import type { PageForm } from './form.ts';
import type { PageDeps } from './ports.ts';
import type { ProcessorAtPage } from './processor.ts';
import { offersKeeping, pageConsent } from './processor.ts';
import { canBePaid, type PageState } from './state.ts';
import type { Notice, Place } from './views/view.ts';

/** A form, and the page that it was sent to. */
export interface Submitted {
  form: PageForm;
  reading: PayPageReading;
  state: PageState;
  /** Null where none takes cards here. */
  processor: ProcessorAtPage | null;
  /** In whose words the form is. */
  place: Pick<Place, 'words' | 'language'>;
  /** The payer's address. */
  origin: string;
  log: Log;
}

/** What the page says next beside its state. */
export interface NextPage {
  notice?: Notice;
  faults?: readonly Fault[];
  /** A card is typed in again. */
  isWrong?: boolean;
}

const JUST_THE_PAGE: NextPage = {};
/** The fake wallet of our own fields keeps one card. */
const TEST_WALLET: PaymentCard = { kind: 'token', token: SANDBOX_WALLET_TOKEN };

/**
 * What is taken, and where, is the session's to say: of the form only the card and the attempt count. The repeat of an
 * attempt takes nothing: the page tells what became of the first.
 * @returns null where the form has fields that the page does not offer
 */
export async function submitPayment(deps: PageDeps, submitted: Submitted): Promise<NextPage | null> {
  const { form, state, processor } = submitted;
  const isOwnFields = processor?.way.kind === 'own_fields';
  if (Object.keys(form.card).length > 0 && !isOwnFields && canBePaid(state)) return null;
  return submitCard(deps, submitted, () => (isOwnFields ? ownCard(deps, submitted) : tokenOf(form)));
}

/**
 * Takes the payment with the saved card whose button was pressed; that it is the caller's is checked with the charge.
 */
export function submitSavedCard(deps: PageDeps, submitted: Submitted): Promise<NextPage> {
  const instrumentId = parseId('Instrument', submitted.form.fields.get('card') ?? '');
  return submitCard(deps, submitted, () => ({ kind: 'saved', instrumentId, at: deps.now() }));
}

/** @param cardOf asked where there is something to pay; null: the form has no card */
async function submitCard(
  deps: PageDeps,
  submitted: Submitted,
  cardOf: () => PaymentCard | readonly Fault[] | null,
): Promise<NextPage> {
  const { form, reading, state, processor } = submitted;
  const attempt = form.fields.get('attempt') ?? '';
  if (!isToken(attempt, TOKEN_LENGTH)) return JUST_THE_PAGE;
  const keyHash = hashAttempt(reading.session.id, attempt);
  const earlier = await findCharge(deps, reading, keyHash);
  // The script's own repeat is of the very form that did not get through: the page tells what became of it.
  const isOwnRepeat = form.fields.get('repeat') === '1';
  if (earlier !== null) return isOwnRepeat ? JUST_THE_PAGE : afterRepeat(deps, earlier, state);
  if (processor === null || !canBePaid(state)) return isElsewhere(state) ? { notice: 'other_attempt' } : JUST_THE_PAGE;
  const card = cardOf();
  if (card === null) return { notice: 'not_started' };
  if (!('kind' in card)) return { faults: card, isWrong: true };
  return pay(deps, submitted, card, keyHash);
}

/**
 * The second click of a double one comes at once; later it is a form out of the browser's memory, perhaps with another
 * card.
 */
const DOUBLE_CLICK_MS = 3_000;

function afterRepeat({ now }: PageDeps, { status, settledAt }: Charge, state: PageState): NextPage {
  const isOver = status === 'failed' && settledAt !== null && Number(now()) - Number(settledAt) > DOUBLE_CLICK_MS;
  return isOver && canBePaid(state) ? { notice: 'sent_before' } : JUST_THE_PAGE;
}

/** The key of a form's attempt: of this session only, whatever the form says. */
function hashAttempt(sessionId: string, attempt: string): Buffer {
  return createHash('sha256').update(`page:${sessionId}:${attempt}`).digest();
}

function findCharge({ database }: PageDeps, { session }: PayPageReading, keyHash: Buffer) {
  const { id, accountId, mode } = session;
  return findChargeByKey(database, { accountId, mode }, id, keyHash);
}

/** Another window, or the phone, is paying or has paid. */
function isElsewhere({ kind }: PageState): boolean {
  return ['working', 'action', 'paid', 'pending', 'on_phone', 'already_paid'].includes(kind);
}

/** What was typed; or the wallet's card, where its button was pressed. */
function ownCard(deps: PageDeps, submitted: Submitted) {
  return walletOf(submitted.form) === null ? keyedCard(deps, submitted) : TEST_WALLET;
}

function keyedCard(
  { now }: PageDeps,
  { form, reading: { merchant } }: Submitted,
): PaymentCard | readonly Fault[] | null {
  if (merchant === null) return null;
  const today = now();
  const month = { month: today.getUTCMonth() + 1, year: today.getUTCFullYear() };
  const card = keyedCardFrom(form.card, merchant, month);
  return 'number' in card ? { kind: 'keyed', card } : card;
}

function tokenOf({ fields }: PageForm): PaymentCard | null {
  const token = fields.get('token') ?? '';
  return token === '' ? null : { kind: 'token', token };
}

/** Which wallet's button was pressed, by the page's own word. */
function walletOf({ fields }: PageForm): Wallet | null {
  return WALLETS.find((wallet) => wallet === fields.get('wallet')) ?? null;
}

/** Null where the box was not ticked, or the page has none. */
function consentOf({ form, reading, processor, place }: Submitted): CardConsent | null {
  const isTicked = form.fields.get('keep_card') === '1';
  return isTicked && offersKeeping(reading, processor) ? pageConsent(place) : null;
}

async function pay(deps: PageDeps, submitted: Submitted, card: PaymentCard, keyHash: Buffer): Promise<NextPage> {
  const { reading, origin, log } = submitted;
  const { id: sessionId, accountId, mode } = reading.session;
  const result = await deps.pay({
    sessionId,
    scope: { accountId, mode },
    source: 'page',
    card,
    idempotencyKeyHash: keyHash,
    origin,
    log,
    wallet: walletOf(submitted.form),
    consent: consentOf(submitted),
  });
  if (result.type === 'refused') return { ...afterRefusal(result), isWrong: true };
  return { isWrong: result.type === 'declined' };
}

function afterRefusal({ reason }: Extract<PaymentResult, PaymentRefusal>): NextPage {
  switch (reason) {
    case 'already_paid':
    case 'in_progress':
    case 'order_paid':
    case 'order_in_progress':
      return { notice: 'other_attempt' };
    case 'too_many_attempts':
    case 'merchant_paused':
      return { notice: 'limit' };
    // A double click: the other request has begun this very attempt.
    case 'repeated':
    case 'expired':
    case 'too_many_declines':
    case 'merchant_not_connected':
      return JUST_THE_PAGE;
    default:
      return { notice: 'not_started' };
  }
}
