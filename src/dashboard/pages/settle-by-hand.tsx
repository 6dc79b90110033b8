/** Settling a charge or a refund by hand: what the processor's books say, then a confirmation, then the outcome, once. */
import type { ListedChargeResource } from '../../contract/charges.ts';
import type { RefundResource } from '../../contract/refunds.ts';
import { roleCovers } from '../../domain/user.ts';
import { DashboardFault, faultOfStatus } from '../faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page-routes.ts';
import { RoleTooSmall } from '../sign-in/errors.ts';
import { cardText } from '../views/links.tsx';
import { moneyText, Notice, words } from '../views/parts.tsx';
import { ConfirmEnding, EndingForm, endingsOf, type PendingThing, SettleHead } from '../views/settle-by-hand.tsx';
import type { Visit } from '../visit.ts';

const ROLE = 'developer';

export const settleByHandPages: AddPages = ({ page, guardedAction }) => {
  for (const kind of [CHARGES, REFUNDS]) {
    page(`/${kind.list}/:id/settle`, (visit) => showForm(visit, kind));
    guardedAction(`/${kind.list}/:id/settle`, (visit, fields) => settle(visit, fields, kind));
  }
};

const idOf = ({ params }: Visit) => encodeURIComponent(params.id ?? '');

/** On the page of what is to be settled: why it is. */
export const NeedsSettling = ({ kind }: Pick<PendingThing, 'kind'>) => (
  <Notice tone="wait" title="Somebody has to look in the processor’s books">
    The processor never said how this {kind} ended, and is not asked any more. An owner or developer settles it by what
    its books say.
  </Notice>
);

/** On the page of what is to be settled: the way there, for who may. @param path of its page, within the mode */
export function SettleButton({ visit, path }: { visit: Visit; path: string }) {
  if (!roleCovers(visit.user.role, ROLE)) return null;
  return (
    <a class="button" href={`${visit.base}${path}/settle`}>
      Settle by hand
    </a>
  );
}

interface Found extends PendingThing {
  status: ListedChargeResource['status'];
  needs_settling?: true | undefined;
}

interface Kind {
  /** In the addresses of pages and of REST. */
  list: 'charges' | 'refunds';
  /** In REST: what the processor calls it. */
  idField: string;
  /** The one that the address names. */
  find: (visit: Visit) => Promise<Found>;
}

async function findCharge(visit: Visit): Promise<Found> {
  const id = idOf(visit);
  const charge = await visit.ask<ListedChargeResource>({ path: `/v1/charges/${id}` });
  const { amount_cents, currency, status, needs_settling, processor } = charge;
  return {
    ...{ kind: 'charge', path: `/charges/${id}`, status, needs_settling, processor },
    ...{ amount: moneyText(amount_cents, currency), card: cardText(charge), callerPhone: charge.caller_phone },
    ...{ merchant: await merchantName(visit, charge.merchant_id), processorId: charge.processor_payment_id },
  };
}

async function findRefund(visit: Visit): Promise<Found> {
  const id = idOf(visit);
  const refund = await visit.ask<RefundResource>({ path: `/v1/refunds/${id}` });
  const { amount_cents, currency, status, needs_settling } = refund;
  const path = `/v1/charges/${encodeURIComponent(refund.charge)}`;
  const charge = await visit.ask<ListedChargeResource>({ path });
  return {
    ...{ kind: 'refund', path: `/refunds/${id}`, status, needs_settling, processor: charge.processor },
    ...{ amount: moneyText(amount_cents, currency), card: cardText(charge), callerPhone: null },
    ...{ merchant: await merchantName(visit, refund.merchant_id), processorId: refund.processor_refund_id },
  };
}

const CHARGES: Kind = { list: 'charges', idField: 'processor_payment_id', find: findCharge };
const REFUNDS: Kind = { list: 'refunds', idField: 'processor_refund_id', find: findRefund };

async function merchantName(visit: Visit, id: string): Promise<string> {
  const path = `/v1/merchants/${encodeURIComponent(id)}`;
  const answer = await visit.tryAsk<{ business_name: string }>({ path });
  return answer.ok ? answer.body.business_name : id;
}

const PROCESSOR_ID = /^(?!-)[\x21-\x7e]{1,255}$/;

/** The first step asks by GET what the books say; with an answer in the address the second one asks whether. */
async function showForm(visit: Visit, { find }: Kind): Promise<Taken> {
  if (!roleCovers(visit.user.role, ROLE)) throw new RoleTooSmall(ROLE);
  const thing = await find(visit);
  if (thing.needs_settling !== true) return { to: thing.path };
  const { outcome, processor_id = '' } = visit.query;
  const ending = endingsOf(thing).find((each) => each === outcome);
  if (ending === undefined) return settleView(visit, thing, <EndingForm visit={visit} thing={thing} fault={null} />);
  const processorId = processor_id.trim();
  const fault = ending === 'succeeded' ? faultOfId(processorId) : null;
  if (fault !== null) return settleView(visit, thing, <EndingForm visit={visit} thing={thing} fault={fault} />, 422);
  const named = ending === 'succeeded' ? processorId : null;
  return settleView(visit, thing, <ConfirmEnding visit={visit} thing={thing} ending={ending} processorId={named} />);
}

function faultOfId(text: string): string | null {
  if (text === '') return 'Where the money moved, its books have an id for it.';
  return PROCESSOR_ID.test(text) ? null : 'Write the id as it stands there, without spaces.';
}

function settleView(visit: Visit, thing: Found, body: View['body'], status = 200): View {
  return {
    ...{ title: 'Settle by hand', section: thing.kind === 'charge' ? 'charges' : 'refunds', status },
    body: (
      <SettleHead visit={visit} thing={thing}>
        {body}
      </SettleHead>
    ),
  };
}

/** Statuses of refusals that are told where it was settled: somebody else was first, or the processor is asked after all. */
const TOLD: ReadonlySet<number> = new Set([400, 409, 422]);

async function settle(visit: Visit, fields: FormFields, { list, idField, find }: Kind): Promise<Taken> {
  const { outcome, processor_id } = fields;
  const id = idOf(visit);
  const answer = await visit.tryAsk({
    ...{ method: 'POST', path: `/v1/${list}/${id}/settle` },
    body: { outcome, ...(processor_id && { [idField]: processor_id }) },
  });
  if (answer.ok) return { to: `/${list}/${id}` };
  if (!TOLD.has(answer.status)) throw new DashboardFault(faultOfStatus(answer.status), answer.error.message);
  const thing = await find(visit);
  return settleView(
    visit,
    thing,
    <>
      <Notice tone="bad" title={answer.status === 409 ? 'This form was sent before' : 'This changed nothing'}>
        <p>{answer.error.message}</p>
        <p>As it stands now: {standing(thing)}.</p>
      </Notice>
      <a class="button" href={visit.base + thing.path}>
        Back to the {thing.kind}
      </a>
    </>,
    422,
  );
}

function standing({ status, amount, processor, processorId }: Found): string {
  const inBooks = processorId === null ? '' : `, ${processorId} in the books of ${processor}`;
  return `${amount}, ${words(status).toLowerCase()}${inBooks}`;
}
