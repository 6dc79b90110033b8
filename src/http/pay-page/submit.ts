/** Takes the payment of a page's form. The next page reads the outcome from the database. */
import { createHash } from 'node:crypto';
import type { ProcessorAtPage } from '../../accounts/merchants/page-processor.ts';
import { findChargeByKey } from '../../db/charges/charges.ts';
import type { PayPageReading } from '../../db/pay-links/pay-page.ts';
import { type Charge, WALLETS, type Wallet } from '../../domain/charge.ts';
import { isToken, parseId, TOKEN_LENGTH } from '../../domain/ids.ts';
import type { CardConsent } from '../../domain/instrument.ts';
import type { Fault } from '../../languages/page.ts';
import type { PaymentRefusal, PaymentRequest, PaymentResult } from '../../payments/charges/take-payment.ts';
import { SANDBOX_WALLET_TOKEN } from '../../payments/sandbox/cards.ts';
import { type PaymentCard, takeOver } from '../../payments/shared/card.ts';
import type { Log } from '../../payments/shared/deps.ts';
import { keyedCardFrom } from './card-fields.ts';
import { type ChosenAmount, chosenAmount } from './chosen-amount.ts';
import type { PageForm } from './form.ts';
import type { PageDeps } from './ports.ts';
import { offersKeeping, pageConsent } from './processor.ts';
import { canBePaid, type PageState } from './state.ts';
import type { Notice, Place } from './views/view.ts';

/** A form, and the page that it was sent to. */
export interface Submitted {
  form: PageForm;
  reading: PayPageReading;
  state: PageState;
  /** Null if no processor takes cards on this page. */
  processor: ProcessorAtPage | null;
  /** The language of the form. */
  place: Pick<Place, 'words' | 'language'>;
  /** The payer's address, or network. */
  origin: string;
  payer: PaymentRequest['payer'];
  log: Log;
}

/** What the next page shows in addition to its state. */
export interface NextPage {
  notice?: Notice;
  faults?: readonly Fault[];
  /** The payer enters a card again. */
  isWrong?: boolean;
  /** Where the payer leaves for: the processor's page with the bank's challenge. */
  away?: string;
}

const JUST_THE_PAGE: NextPage = {};
/** The card in the sandbox's test wallet. */
const TEST_WALLET: PaymentCard = { kind: 'token', token: SANDBOX_WALLET_TOKEN };

/**
 * The session determines amount and merchant. The form only contributes the card and the attempt. A repeated attempt
 * charges nothing, and the page shows the outcome of the first one.
 * @returns null if the form has fields that the page does not offer
 */
export async function submitPayment(deps: PageDeps, submitted: Submitted): Promise<NextPage | null> {
  const { form, state, processor } = submitted;
  const isOwnFields = processor?.way.kind === 'own_fields';
  if (Object.keys(form.card).length > 0 && !isOwnFields && canBePaid(state)) return null;
  return submitCard(deps, submitted, () => (isOwnFields ? ownCard(deps, submitted) : tokenOf(form)));
}

/** Pays with the saved card whose button was pressed. The charge checks that the card is the caller's. */
export function submitSavedCard(deps: PageDeps, submitted: Submitted): Promise<NextPage> {
  const instrumentId = parseId('Instrument', submitted.form.fields.get('card') ?? '');
  return submitCard(deps, submitted, () => ({ kind: 'saved', instrumentId, at: deps.now() }));
}

/** @param cardOf called if there is something to pay. It returns null if the form has no card. */
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
  // The page's script repeats a form that got no response.
  const isOwnRepeat = form.fields.get('repeat') === '1';
  if (earlier !== null) return isOwnRepeat ? JUST_THE_PAGE : afterRepeat(deps, earlier, state);
  if (processor === null || !canBePaid(state)) return isElsewhere(state) ? { notice: 'other_attempt' } : JUST_THE_PAGE;
  const chosen = chosenAmount(reading, (name) => form.fields.get(name));
  // Never an amount that the payer did not see.
  if (chosen === null) return { notice: 'not_started' };
  const card = cardOf();
  if (card === null) return { notice: 'not_started' };
  const faults = [...('kind' in card ? [] : card), ...consentFault(submitted)];
  if (!('kind' in card) || faults.length > 0) {
    if ('kind' in card) takeOver(card).wipe();
    return { faults, isWrong: true };
  }
  return pay(deps, submitted, { card, chosen, keyHash });
}

/** After this time, a repeat is not a double click but a form from the browser's history, perhaps with another card. */
const DOUBLE_CLICK_MS = 3_000;

function afterRepeat({ now }: PageDeps, { status, settledAt }: Charge, state: PageState): NextPage {
  const isOver = status === 'failed' && settledAt !== null && Number(now()) - Number(settledAt) > DOUBLE_CLICK_MS;
  return isOver && canBePaid(state) ? { notice: 'sent_before' } : JUST_THE_PAGE;
}

/** The idempotency key of a form's attempt. It includes the session, so that sessions cannot share attempts. */
function hashAttempt(sessionId: string, attempt: string): Buffer {
  return createHash('sha256').update(`page:${sessionId}:${attempt}`).digest();
}

function findCharge({ database }: PageDeps, { session }: PayPageReading, keyHash: Buffer) {
  const { id, accountId, mode } = session;
  return findChargeByKey(database, { accountId, mode }, id, keyHash);
}

/** Whether another window or the phone is paying or has paid. */
function isElsewhere({ kind }: PageState): boolean {
  return ['working', 'action', 'paid', 'pending', 'on_phone', 'already_paid'].includes(kind);
}

/** The entered card, or the test wallet's card if its button was pressed. A wallet's card is never saved. */
function ownCard(deps: PageDeps, submitted: Submitted) {
  const isSaving = submitted.reading.session.purpose === 'save_card';
  return walletOf(submitted.form) === null || isSaving ? keyedCard(deps, submitted) : TEST_WALLET;
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

/** The wallet whose button was pressed, as the form says. */
function walletOf({ fields }: PageForm): Wallet | null {
  return WALLETS.find((wallet) => wallet === fields.get('wallet')) ?? null;
}

/** Null if the box was not selected or the page has none. */
function consentOf({ form, reading, processor, place }: Submitted): CardConsent | null {
  const isTicked = form.fields.get('keep_card') === '1';
  return isTicked && offersKeeping(reading, processor) ? pageConsent(reading, place) : null;
}

/** A card is only saved if the payer agreed. */
function consentFault(submitted: Submitted): readonly Fault[] {
  const isMissing = submitted.reading.session.purpose === 'save_card' && consentOf(submitted) === null;
  return isMissing ? ['consent_missing'] : [];
}

async function pay(
  deps: PageDeps,
  submitted: Submitted,
  { card, chosen, keyHash }: { card: PaymentCard; chosen: ChosenAmount; keyHash: Buffer },
): Promise<NextPage> {
  const { reading, origin, payer, log } = submitted;
  const { id: sessionId, accountId, mode } = reading.session;
  const result = await deps.pay({
    sessionId,
    scope: { accountId, mode },
    source: 'page',
    card,
    partCents: chosen.partCents,
    tipCents: chosen.tip?.tipCents ?? 0,
    idempotencyKeyHash: keyHash,
    origin,
    ...(payer !== undefined && { payer }),
    log,
    wallet: walletOf(submitted.form),
    consent: consentOf(submitted),
  });
  if (result.type === 'refused') return { ...afterRefusal(result), isWrong: true };
  const away = result.type === 'action_required' && result.action?.kind === 'redirect' ? result.action.url : null;
  return { isWrong: result.type === 'declined', ...(away !== null && { away }) };
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
    // A double click: the other request has already started this attempt.
    case 'repeated':
    case 'expired':
    case 'too_many_declines':
    case 'merchant_not_connected':
      return JUST_THE_PAGE;
    default:
      return { notice: 'not_started' };
  }
}
