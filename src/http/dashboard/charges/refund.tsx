/**
 * Refunding a charge: the amount, a confirmation that names it, then the refund. Both pages carry the same attempt in
 * their URL, so going back and submitting again creates no second refund.
 */
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import { isChargeable } from '../../../domain/money.ts';
import { REFUND_REASONS } from '../../../domain/refund.ts';
import { centsIn, exampleTyped, parseAmount, typedAmount } from '../form/amounts.ts';
import { Form, mustSignInForLive, SignInAgain } from '../form/form.tsx';
import { searchOf } from '../list/filters.tsx';
import { ATTEMPT_FIELD } from '../page/attempts.ts';
import { InEnglish } from '../page/english.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import { cardText } from '../page/links.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { moneyText, Notice, PageHead, type Tone } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import type { DashboardDeps } from '../ports.ts';
import { names } from '../words/names/index.ts';
import { AmountForm } from './amount-form.tsx';
import { takenCents } from './taken.ts';
import { chargeWords } from './words/index.ts';

type RefundDeps = Pick<DashboardDeps, 'refundSignInAboveCents'>;

export function refundChargePages({ refundSignInAboveCents = 0 }: RefundDeps): AddPages {
  /** Whether a live refund of this amount requires a recent sign-in. An invalid amount does. */
  const isGuarded = (cents: number) => !(cents >= 1 && cents <= refundSignInAboveCents);
  return ({ attemptPage, liveGuardedAction }) => {
    attemptPage('/charges/:id/refund', (visit) => showRefundForm(visit, isGuarded));
    liveGuardedAction('/charges/:id/refund', createRefund, ({ amount_cents }) => isGuarded(centsIn(amount_cents)));
  };
}

const pathOf = (visit: Visit<'id'>) => `/charges/${idInPath(visit)}`;

async function chargeOf(visit: Visit<'id'>): Promise<ListedChargeResource> {
  return visit.ask<ListedChargeResource>({ path: `/v1${pathOf(visit)}` });
}

/** The first step asks for the amount by GET. With a valid amount in the URL, the second step asks to confirm. */
async function showRefundForm(visit: Visit<'id'>, isGuarded: (cents: number) => boolean): Promise<Taken> {
  const charge = await chargeOf(visit);
  const left = takenCents(charge) - charge.refunded_cents;
  if (charge.status !== 'succeeded' || left === 0) return { to: pathOf(visit) };
  const { amount, reason = '' } = visit.query;
  if (amount === undefined) return amountView(visit, charge, null);
  const cents = parseAmount(amount, charge.currency);
  const w = chargeWords();
  if (cents === null) return amountView(visit, charge, w.noAmount(exampleTyped(charge.currency)));
  if (cents > left) return amountView(visit, charge, w.refund.most(moneyText(left, charge.currency)));
  const known = REFUND_REASONS.find((each) => each === reason) ?? null;
  const mustSignIn = mustSignInForLive(visit) && isGuarded(cents);
  return confirmView(visit, charge, { cents, reason: known }, mustSignIn);
}

function titled(visit: Visit<'id'>, charge: ListedChargeResource, body: View['body'], status = 200): View {
  const w = chargeWords().refund;
  const amount = <a href={visit.base + pathOf(visit)}>{moneyText(charge.amount_cents, charge.currency)}</a>;
  return {
    title: w.title,
    section: 'charges',
    status,
    body: (
      <>
        <PageHead title={w.title} lead={w.lead(amount, cardText(charge))} />
        {body}
      </>
    ),
  };
}

function amountView(visit: Visit<'id'>, charge: ListedChargeResource, fault: string | null): View {
  const left = takenCents(charge) - charge.refunded_cents;
  const { amount = typedAmount(left, charge.currency), reason } = visit.query;
  const w = chargeWords().refund;
  const hint = w.left(moneyText(left, charge.currency));
  return titled(
    visit,
    charge,
    <AmountForm
      visit={visit}
      charge={charge}
      amount={amount}
      hint={hint}
      fault={fault}
      back={pathOf(visit)}
      isOnce
      instead={<HalfLink visit={visit} charge={charge} />}
    >
      <div>
        <label for="reason">{w.reason}</label>
        <select id="reason" name="reason">
          <option value="">{w.noReason}</option>
          {REFUND_REASONS.map((each) => (
            <option key={each} value={each} selected={each === reason}>
              {names().refundReason[each]}
            </option>
          ))}
        </select>
      </div>
    </AmountForm>,
    fault === null ? 200 : 422,
  );
}

/** To the confirmation of a refund of half of the charge, unless less is left. The odd cent stays with the merchant. */
function HalfLink({ visit, charge }: { visit: Visit<'id'>; charge: ListedChargeResource }) {
  const half = Math.floor(takenCents(charge) / 2);
  if (!isChargeable(half) || half > takenCents(charge) - charge.refunded_cents) return null;
  const amount = typedAmount(half, charge.currency);
  return (
    <p class="shortcut">
      <a class="button" href={visit.path + searchOf({ [ATTEMPT_FIELD]: visit.attempt, amount })}>
        {chargeWords().refund.half(moneyText(half, charge.currency))}
      </a>
    </p>
  );
}

interface RefundDetails {
  cents: number;
  reason: (typeof REFUND_REASONS)[number] | null;
}

function confirmView(
  visit: Visit<'id'>,
  charge: ListedChargeResource,
  { cents, reason }: RefundDetails,
  mustSignIn: boolean,
): View {
  const before = charge.refunded_cents;
  const amount = moneyText(cents, charge.currency);
  if (mustSignIn) {
    const here = { ...visit, path: visit.path + searchOf(visit.query) };
    return titled(visit, charge, <SignInAgain visit={here} />);
  }
  const w = chargeWords().refund;
  return titled(
    visit,
    charge,
    <Form visit={visit} action={`${pathOf(visit)}/refund`} submit={w.submit(amount)} cancel={pathOf(visit)} isOnce>
      <Notice tone={visit.mode === 'live' ? 'wait' : 'calm'} title={w.confirm(amount, cardText(charge))} isFocused>
        {w[visit.mode]}
        {before > 0 && ` ${w.before(moneyText(before, charge.currency))}`}
      </Notice>
      <input type="hidden" name="amount_cents" value={cents} />
      <input type="hidden" name="reason" value={reason ?? ''} />
    </Form>,
  );
}

/** Statuses of errors that are shown on the refund's page. */
const SHOWN_HERE: ReadonlySet<number> = new Set([400, 402, 409, 422, 424]);

/** Attempt and amount form the idempotency key, so a double click or a resubmitted form creates one refund. */
async function createRefund(visit: Visit<'id'>, { amount_cents, reason }: FormFields): Promise<Taken> {
  const cents = centsIn(amount_cents);
  const answer = await visit.tryAsk<RefundResource>({
    method: 'POST',
    path: '/v1/refunds',
    body: { charge: visit.params.id, amount_cents: cents, ...(reason && { reason }) },
    idempotencyKey: `${visit.attempt} ${cents}`,
  });
  if (answer.ok) return { to: `/refunds/${answer.body.refund_id}` };
  const { status, error } = answer;
  // Other errors (not found, not allowed, unavailable) have their own pages.
  if (!SHOWN_HERE.has(status)) throw new DashboardFault(faultOfStatus(status), error.message);
  return refusedView(visit, await chargeOf(visit), status, error.message);
}

/** Why the form created no refund, and how much can still be refunded: another user may have refunded the rest. */
function refusedView(visit: Visit<'id'>, charge: ListedChargeResource, status: number, message: string): View {
  const w = chargeWords();
  const { tone, title, text } = refusals()[status] ?? { tone: 'bad', title: w.refund.refused };
  const hasLeft = charge.refunded_cents < takenCents(charge);
  return titled(
    visit,
    charge,
    <>
      <Notice tone={tone} title={title}>
        <p>{text ?? <InEnglish text={message} />}</p>
        <p>{leftText(charge)}</p>
      </Notice>
      <div class="actions">
        <a class="button" href={visit.base + pathOf(visit)}>
          {w.back}
        </a>
        {hasLeft && (
          <a class="button" href={`${visit.base}${pathOf(visit)}/refund`}>
            {w.refund.again}
          </a>
        )}
      </div>
    </>,
    422,
  );
}

/** Errors after which the money may have been refunded. `text` replaces REST's message. */
function refusals(): Partial<Record<number, { tone: Tone; title: string; text?: string }>> {
  const w = chargeWords().refund;
  return {
    // The idempotency key is or was in use, so an earlier submission of this form may have created the refund.
    409: { tone: 'wait', title: w.sentBefore, text: w.sentBeforeText },
    424: { tone: 'wait', title: w.unknown },
  };
}

function leftText(charge: ListedChargeResource): string {
  const { refunded_cents, currency } = charge;
  const all = moneyText(takenCents(charge), currency);
  const left = moneyText(takenCents(charge) - refunded_cents, currency);
  const w = chargeWords().refund;
  return refunded_cents < takenCents(charge) ? w.stillLeft(left, all) : w.noneLeft(all);
}
