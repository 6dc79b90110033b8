/** Capturing and voiding a hold: one page each, with a form that names the amount. */
import type { ListedChargeResource } from '../../../contract/charges.ts';
import { roleCovers } from '../../../domain/user.ts';
import { centsIn, exampleTyped, parseAmount, typedAmount } from '../form/amounts.ts';
import { GuardedForm } from '../form/form.tsx';
import { searchOf } from '../list/filters.tsx';
import { InEnglish } from '../page/english.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import { cardText } from '../page/links.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { moneyText, Notice, PageHead } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { AmountForm } from './amount-form.tsx';
import { chargeWords } from './words/index.ts';

type Charge = ListedChargeResource;
type Kind = 'capture' | 'void';

export const holdPages: AddPages = ({ page, liveGuardedAction }) => {
  for (const kind of ['capture', 'void'] as const) {
    page(`/charges/:id/${kind}`, (visit) => showForm(visit, kind));
  }
  liveGuardedAction('/charges/:id/capture', capture);
  liveGuardedAction('/charges/:id/void', (visit) => send(visit, 'void', {}));
};

export const mayChangeHold = ({ user }: Visit, { status }: Charge) =>
  status === 'authorized' && roleCovers(user.role, 'support');

export function HoldActions({ visit, path }: { visit: Visit; path: string }) {
  const { titles } = chargeWords().hold;
  return (
    <>
      <a class="button" href={`${visit.base}${path}/capture`}>
        {titles.capture}
      </a>
      <a class="button" href={`${visit.base}${path}/void`}>
        {titles.void}
      </a>
    </>
  );
}

const pathOf = (visit: Visit<'id'>) => `/charges/${idInPath(visit)}`;
const chargeOf = (visit: Visit<'id'>) => visit.ask<Charge>({ path: `/v1${pathOf(visit)}` });

async function showForm(visit: Visit<'id'>, kind: Kind): Promise<Taken> {
  const charge = await chargeOf(visit);
  if (charge.status !== 'authorized') return { to: pathOf(visit) };
  return kind === 'void' ? voidView(visit, charge) : showCapture(visit, charge);
}

function titled(visit: Visit<'id'>, charge: Charge, kind: Kind, body: View['body'], status = 200): View {
  const held = moneyText(charge.amount_cents, charge.currency);
  const w = chargeWords().hold;
  return {
    title: w.titles[kind],
    section: 'charges',
    status,
    body: (
      <>
        <PageHead
          title={w.titles[kind]}
          lead={w.lead(<a href={visit.base + pathOf(visit)}>{held}</a>, cardText(charge))}
        />
        {body}
      </>
    ),
  };
}

/** The first step asks for the amount by GET. With a valid amount in the URL, the second step asks to confirm. */
function showCapture(visit: Visit<'id'>, charge: Charge): View {
  const { amount_cents: held, currency } = charge;
  const { amount } = visit.query;
  if (amount === undefined) return amountView(visit, charge, null);
  const cents = parseAmount(amount, currency);
  const w = chargeWords();
  if (cents === null) return amountView(visit, charge, w.noAmount(exampleTyped(currency)));
  if (cents > held) return amountView(visit, charge, w.hold.most(moneyText(held, currency)));
  return confirmView(visit, charge, cents);
}

function amountView(visit: Visit<'id'>, charge: Charge, fault: string | null): View {
  const { amount_cents: held, currency } = charge;
  const { amount = typedAmount(held, currency) } = visit.query;
  const hint = chargeWords().hold.most(moneyText(held, currency));
  return titled(
    visit,
    charge,
    'capture',
    <AmountForm visit={visit} charge={charge} amount={amount} hint={hint} fault={fault} back={pathOf(visit)} />,
    fault === null ? 200 : 422,
  );
}

function confirmView(visit: Visit<'id'>, charge: Charge, cents: number): View {
  const path = pathOf(visit);
  const w = chargeWords().hold;
  const submit = w.capture(moneyText(cents, charge.currency));
  const form = { action: `${path}/capture`, submit, cancel: path, signInTo: visit.path + searchOf(visit.query) };
  const rest = charge.amount_cents - cents;
  return titled(
    visit,
    charge,
    'capture',
    <GuardedForm visit={visit} isOnce {...form}>
      <Notice tone={visit.mode === 'live' ? 'wait' : 'calm'} title={submit} isFocused>
        {rest === 0 ? w.captureAll : w.captureRest(moneyText(rest, charge.currency))}
      </Notice>
      <input type="hidden" name="amount_cents" value={cents} />
    </GuardedForm>,
  );
}

function voidView(visit: Visit<'id'>, charge: Charge): View {
  const path = pathOf(visit);
  const w = chargeWords().hold;
  const form = { action: `${path}/void`, submit: w.titles.void, cancel: path };
  return titled(
    visit,
    charge,
    'void',
    <GuardedForm visit={visit} isOnce {...form}>
      <Notice tone="calm" title={w.release(moneyText(charge.amount_cents, charge.currency))} isFocused>
        {w.releaseText}
      </Notice>
    </GuardedForm>,
  );
}

const capture = (visit: Visit<'id'>, { amount_cents: cents }: FormFields): Promise<Taken> =>
  send(visit, 'capture', { amount_cents: centsIn(cents) });

/** Statuses of errors that are shown here. */
const SHOWN_HERE: ReadonlySet<number> = new Set([400, 409, 422, 424]);

/** REST makes a capture or void once. The form has an attempt, so that the second request of a double click waits for the first. */
async function send(visit: Visit<'id'>, kind: Kind, body: object): Promise<Taken> {
  const answer = await visit.tryAsk<Charge>({ method: 'POST', path: `/v1${pathOf(visit)}/${kind}`, body });
  if (answer.ok) return { to: pathOf(visit) };
  const { status, error } = answer;
  if (!SHOWN_HERE.has(status)) throw new DashboardFault(faultOfStatus(status), error.message);
  const isOpen = status === 424;
  const w = chargeWords();
  return titled(
    visit,
    await chargeOf(visit),
    kind,
    <>
      <Notice tone={isOpen ? 'wait' : 'bad'} title={isOpen ? w.hold.noAnswer : w.nothingChanged}>
        <InEnglish text={error.message} />
      </Notice>
      <div class="actions">
        <a class="button" href={visit.base + pathOf(visit)}>
          {w.back}
        </a>
      </div>
    </>,
    422,
  );
}
