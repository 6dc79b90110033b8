/**
 * Giving a charge back: how much, then a confirmation that names the amount, then the refund, once. Both pages have the same
 * attempt in their address: whoever comes back to one, and presses again, gives nothing more back.
 */
import type { ListedChargeResource } from '../../contract/charges.ts';
import type { RefundResource } from '../../contract/refunds.ts';
import { ATTEMPT_FIELD } from '../attempts.ts';
import { MAX_AMOUNT_CENTS } from '../../domain/money.ts';
import { REFUND_REASONS } from '../../domain/refund.ts';
import { DashboardFault, faultOfStatus } from '../faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page-routes.ts';
import { Form } from '../views/form.tsx';
import { cardText } from '../views/links.tsx';
import { moneyText, Notice, type Tone, words } from '../views/parts.tsx';
import type { Visit } from '../visit.ts';

export const refundChargePages: AddPages = ({ formPage, action }) => {
  formPage('/charges/:id/refund', showRefundForm);
  action('/charges/:id/refund', giveBack);
};

const pathOf = ({ params }: Visit) => `/charges/${encodeURIComponent(params.id ?? '')}`;

async function chargeOf(visit: Visit): Promise<ListedChargeResource> {
  return visit.ask<ListedChargeResource>({ path: `/v1${pathOf(visit)}` });
}

/** The first step asks by GET how much; with an amount in the address that can be given back the second one asks whether. */
async function showRefundForm(visit: Visit): Promise<Taken> {
  const charge = await chargeOf(visit);
  const left = charge.amount_cents - charge.refunded_cents;
  if (charge.status !== 'succeeded' || left === 0) return { to: pathOf(visit) };
  const { amount, reason = '' } = visit.query;
  if (amount === undefined) return amountView(visit, charge, null);
  const cents = parseAmount(amount);
  if (cents === null) return amountView(visit, charge, 'Write it as 10 or 10.50.');
  if (cents > left) return amountView(visit, charge, `No more than ${moneyText(left, charge.currency)} is left.`);
  const known = REFUND_REASONS.find((each) => each === reason) ?? null;
  return confirmView(visit, charge, { cents, reason: known });
}

/** `1,234.50` → 123450; null where it is no amount, or has more decimals than the currency. */
export function parseAmount(text: string): number | null {
  const plain = text.trim().replace(/^[$€£]\s*/, '');
  const parts = /^(\d{1,3}(?:,\d{3})+|\d{1,7})(?:\.(\d{1,2}))?$/.exec(plain);
  if (parts === null) return null;
  const [, whole = '', decimals = ''] = parts;
  const cents = Number(whole.replaceAll(',', '')) * 100 + Number(decimals.padEnd(2, '0'));
  return cents >= 1 && cents <= MAX_AMOUNT_CENTS ? cents : null;
}

function titled(visit: Visit, charge: ListedChargeResource, body: View['body'], status = 200): View {
  return {
    ...{ title: 'Give money back', section: 'charges', status },
    body: (
      <>
        <div class="head">
          <div>
            <h1>Give money back</h1>
            <p class="lead">
              Of <a href={visit.base + pathOf(visit)}>{moneyText(charge.amount_cents, charge.currency)}</a> paid with{' '}
              {cardText(charge)}
            </p>
          </div>
        </div>
        {body}
      </>
    ),
  };
}

function amountView(visit: Visit, charge: ListedChargeResource, fault: string | null): View {
  const left = moneyText(charge.amount_cents - charge.refunded_cents, charge.currency);
  const { amount = ((charge.amount_cents - charge.refunded_cents) / 100).toFixed(2), reason } = visit.query;
  return titled(
    visit,
    charge,
    <form class="form" method="get" action={visit.path}>
      <input type="hidden" name={ATTEMPT_FIELD} value={visit.attempt} />
      <div>
        <label for="amount">How much, in {charge.currency}</label>
        <input
          id="amount"
          name="amount"
          inputmode="decimal"
          autocomplete="off"
          maxlength={14}
          value={amount}
          aria-describedby="amount-left amount-fault"
          aria-invalid={fault === null ? undefined : true}
        />
        <p class="hint" id="amount-left">
          {left} can be given back.
        </p>
        <p class="fault" id="amount-fault" role={fault === null ? undefined : 'alert'}>
          {fault}
        </p>
      </div>
      <div>
        <label for="reason">Why</label>
        <select id="reason" name="reason">
          <option value="">No reason given</option>
          {REFUND_REASONS.map((each) => (
            <option key={each} value={each} selected={each === reason}>
              {words(each)}
            </option>
          ))}
        </select>
      </div>
      <div class="actions">
        <button type="submit" class="first">
          Continue
        </button>
        <a class="button" href={visit.base + pathOf(visit)}>
          Cancel
        </a>
      </div>
    </form>,
    fault === null ? 200 : 422,
  );
}

interface Wanted {
  cents: number;
  reason: (typeof REFUND_REASONS)[number] | null;
}

function confirmView(visit: Visit, charge: ListedChargeResource, { cents, reason }: Wanted): View {
  const before = charge.refunded_cents;
  const amount = moneyText(cents, charge.currency);
  return titled(
    visit,
    charge,
    <Form visit={visit} action={`${pathOf(visit)}/refund`} submit={`Give back ${amount}`} cancel={pathOf(visit)} isOnce>
      <Notice tone={visit.mode === 'live' ? 'wait' : 'calm'} title={`${amount} goes back to ${cardText(charge)}`}>
        {visit.mode === 'live' ? 'This is real money, and cannot be called back.' : 'In test mode no real money moves.'}
        {before > 0 && ` ${moneyText(before, charge.currency)} of it was given back before, or is on its way.`}
      </Notice>
      <input type="hidden" name="amount_cents" value={cents} />
      <input type="hidden" name="reason" value={reason ?? ''} />
    </Form>,
  );
}

/** Statuses of refusals that are told where the refund was asked for. */
const TOLD: ReadonlySet<number> = new Set([400, 402, 409, 422, 424]);

/** The attempt, with the amount, is the Idempotency-Key: a double click, or the form sent again, is one refund. */
async function giveBack(visit: Visit, { amount_cents, reason }: FormFields): Promise<Taken> {
  const cents = Number(amount_cents);
  const answer = await visit.tryAsk<RefundResource>({
    ...{ method: 'POST', path: '/v1/refunds' },
    body: { charge: visit.params.id, amount_cents: cents, ...(reason && { reason }) },
    idempotencyKey: `${visit.attempt} ${cents}`,
  });
  if (answer.ok) return { to: `/refunds/${answer.body.refund_id}` };
  const { status, error } = answer;
  // What is not there, not allowed, or away has its page.
  if (!TOLD.has(status)) throw new DashboardFault(faultOfStatus(status), error.message);
  return refusedView(visit, await chargeOf(visit), status, error.message);
}

/** Why no refund was made by this form; and how much is left, for somebody else may have given the rest back meanwhile. */
function refusedView(visit: Visit, charge: ListedChargeResource, status: number, message: string): View {
  const { tone, title, text } = REFUSALS[status] ?? { tone: 'bad', title: 'Nothing was given back', text: message };
  const hasLeft = charge.refunded_cents < charge.amount_cents;
  return titled(
    visit,
    charge,
    <>
      <Notice tone={tone} title={title}>
        <p>{text ?? message}</p>
        <p>{leftText(charge)}</p>
      </Notice>
      <div class="actions">
        <a class="button" href={visit.base + pathOf(visit)}>
          Back to the charge
        </a>
        {hasLeft && (
          <a class="button" href={`${visit.base}${pathOf(visit)}/refund`}>
            Begin anew
          </a>
        )}
      </div>
    </>,
    422,
  );
}

/** Where it is not certain that nothing was given back. `text`: in place of REST's. */
const REFUSALS: Partial<Record<number, { tone: Tone; title: string; text?: string }>> = {
  // The key is in use, or was used: by the first of two forms that were sent, which may have been carried out.
  409: {
    ...{ tone: 'wait', title: 'This form was sent before' },
    text: 'It is one refund, however often it is sent. What became of it stands on the page of the charge.',
  },
  424: { tone: 'wait', title: 'The processor has not said whether it was made' },
};

function leftText({ amount_cents, refunded_cents, currency }: ListedChargeResource): string {
  const [all, before] = [moneyText(amount_cents, currency), moneyText(refunded_cents, currency)];
  if (refunded_cents < amount_cents) return `${moneyText(amount_cents - refunded_cents, currency)} of ${all} is left.`;
  return `Nothing of the ${all} is left: ${before} was given back, or is on its way back.`;
}
