/**
 * Settling a charge or a refund manually: the outcome in the processor's dashboard, a confirmation, then the request.
 */
import type { ListedChargeResource } from '../../../contract/charges.ts';
import { isProcessorId, SETTLEABLE, type SettleableKind } from '../../../contract/manual-settlement.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import { holdsCardNumber } from '../../../domain/card-data.ts';
import { roleCovers } from '../../../domain/user.ts';
import { InEnglish } from '../page/english.tsx';
import { DashboardFault, faultOfStatus } from '../page/faults.ts';
import { cardText, merchantName } from '../page/links.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { moneyText, Notice } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import { RoleTooSmall } from '../sign-in/errors.ts';
import { names } from '../words/names/index.ts';
import { ConfirmEnding, EndingForm, endingsOf, type PendingItem, SettleHead } from './outcome-form.tsx';
import { settleWords } from './words/index.ts';

const ROLE = 'developer';

/** Forms are sent by POST, because a person can mistake a card number for the processor's ID: URLs are logged. */
export const settlePages: AddPages = ({ page, guardedAction }) => {
  for (const kind of ['charge', 'refund'] as const) {
    const path = `/${SETTLEABLE[kind].list}/:id/settle` as const;
    page(path, (visit) => showForm(visit, kind));
    page(`${path}/confirm`, (visit) => toForm(visit, kind));
    guardedAction(`${path}/confirm`, (visit, fields) => askToConfirm(visit, fields, kind));
    guardedAction(path, (visit, fields) => settle(visit, fields, kind));
  }
};

/** Shown on the charge or refund: why it needs settlement. */
export function NeedsSettling({ kind }: Pick<PendingItem, 'kind'>) {
  const { title, text } = settleWords().needsSettling[kind];
  return (
    <Notice tone="wait" title={title}>
      {text}
    </Notice>
  );
}

/** The link to the form, for roles that may settle. @param path of the charge or refund, within the mode */
export function SettleButton({ visit, path }: { visit: Visit; path: string }) {
  if (!roleCovers(visit.user.role, ROLE)) return null;
  return (
    <a class="button" href={`${visit.base}${path}/settle`}>
      {settleWords().title}
    </a>
  );
}

interface Found extends PendingItem {
  /** The name of its status. */
  status: string;
  needs_settling?: true | undefined;
}

/** Finds the charge or refund named in the URL. */
async function findPending(visit: Visit<'id'>, kind: SettleableKind): Promise<Found> {
  const id = idInPath(visit);
  const item = await visit.ask<ListedChargeResource | RefundResource>({ path: `/v1/${SETTLEABLE[kind].list}/${id}` });
  const charge =
    'refund_id' in item
      ? await visit.ask<ListedChargeResource>({ path: `/v1/charges/${encodeURIComponent(item.charge)}` })
      : item;
  const savesOnly = item.amount_cents === 0;
  return {
    kind,
    path: `/${SETTLEABLE[kind].list}/${id}`,
    status: 'refund_id' in item ? names().refundStatus[item.status] : names().chargeStatus[item.status],
    needs_settling: item.needs_settling,
    processor: charge.processor,
    amount: savesOnly ? settleWords().cardOnly : moneyText(item.amount_cents, item.currency),
    savesOnly,
    card: cardText(charge),
    callerPhone: kind === 'charge' ? charge.caller_phone : null,
    merchant: await merchantName(visit, item.merchant_id),
    processorId: 'refund_id' in item ? item.processor_refund_id : item.processor_payment_id,
  };
}

/** The first step asks for the outcome. */
async function showForm(visit: Visit<'id'>, kind: SettleableKind): Promise<Taken> {
  const item = await findUnsettled(visit, kind);
  return 'to' in item ? item : settleView(visit, item, <EndingForm visit={visit} item={item} />);
}

/** The second step is the answer to a form. Its URL alone, as after a sign-in, leads to the first step. */
async function toForm(visit: Visit<'id'>, kind: SettleableKind): Promise<Taken> {
  const item = await findUnsettled(visit, kind);
  return 'to' in item ? item : { to: `${item.path}/settle` };
}

/** The second step asks to confirm the outcome. It shows the first one again if the processor's ID is wrong. */
async function askToConfirm(visit: Visit<'id'>, fields: FormFields, kind: SettleableKind): Promise<Taken> {
  const item = await findUnsettled(visit, kind);
  if ('to' in item) return item;
  const ending = endingsOf(item).find((each) => each === fields.outcome);
  if (ending === undefined) return { to: `${item.path}/settle` };
  const processorId = (fields.processor_id ?? '').trim();
  const fault = ending === 'succeeded' ? faultOfId(processorId) : null;
  if (fault !== null) {
    // A card number is not sent back.
    const entered = { ending, processorId: holdsCardNumber(processorId) ? '' : processorId, fault };
    return settleView(visit, item, <EndingForm visit={visit} item={item} entered={entered} />, 422);
  }
  const named = ending === 'succeeded' ? processorId : null;
  return settleView(visit, item, <ConfirmEnding visit={visit} item={item} ending={ending} processorId={named} />);
}

/** @returns a redirect to its page if it needs no settlement. @throws RoleTooSmall */
async function findUnsettled(visit: Visit<'id'>, kind: SettleableKind): Promise<Found | { to: string }> {
  if (!roleCovers(visit.user.role, ROLE)) throw new RoleTooSmall(ROLE);
  const item = await findPending(visit, kind);
  return item.needs_settling === true ? item : { to: item.path };
}

function faultOfId(text: string): string | null {
  const w = settleWords();
  if (text === '') return w.noId;
  if (holdsCardNumber(text)) return w.cardNumber;
  return isProcessorId(text) ? null : w.badId;
}

function settleView(visit: Visit, item: Found, body: View['body'], status = 200): View {
  return {
    title: settleWords().title,
    section: item.kind === 'charge' ? 'charges' : 'refunds',
    status,
    body: (
      <>
        <SettleHead visit={visit} item={item} />
        {body}
      </>
    ),
  };
}

/** Statuses of errors that are shown on this page: another user was first, or the processor is being asked after all. */
const SHOWN_HERE: ReadonlySet<number> = new Set([400, 409, 422]);

async function settle(visit: Visit<'id'>, fields: FormFields, kind: SettleableKind): Promise<Taken> {
  const { outcome, processor_id } = fields;
  const { list, processorIdField } = SETTLEABLE[kind];
  const id = idInPath(visit);
  const answer = await visit.tryAsk({
    method: 'POST',
    path: `/v1/${list}/${id}/settle`,
    body: { outcome, ...(processor_id && { [processorIdField]: processor_id }) },
  });
  if (answer.ok) return { to: `/${list}/${id}` };
  if (!SHOWN_HERE.has(answer.status)) throw new DashboardFault(faultOfStatus(answer.status), answer.error.message);
  const item = await findPending(visit, kind);
  const w = settleWords();
  return settleView(
    visit,
    item,
    <>
      <Notice tone="bad" title={answer.status === 409 ? w.sentBefore : w.nothingChanged}>
        <p>
          <InEnglish text={answer.error.message} />
        </p>
        <p>{stateText(item)}</p>
      </Notice>
      <a class="button" href={visit.base + item.path}>
        {w.back[kind]}
      </a>
    </>,
    422,
  );
}

function stateText({ status, amount, processor, processorId }: Found): string {
  const w = settleWords();
  return processorId === null ? w.state(amount, status) : w.stateWith(amount, status, processor, processorId);
}
