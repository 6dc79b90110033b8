/** The last step of connecting a processor: a test charge and its refund, each with its outcome in words. */
import { PROCESSOR_NAMES } from '../../../contract/attention-words.ts';
import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import type { MerchantStatusResource } from '../../api/routes/merchant-shapes.ts';
import { Form } from '../form/form.tsx';
import { settingsPage } from '../form/settings.tsx';
import { ChecklistItem } from '../page/checklist.tsx';
import { durationText } from '../page/links.tsx';
import type { AddPages, Taken, View } from '../page/page-routes.ts';
import { moneyText, Notice, noticeOf, words } from '../page/parts.tsx';
import { requireDeveloper, type Visit } from '../page/visit.ts';
import { ConnectSteps } from './connect-steps.tsx';
import { merchantPath } from './merchants.tsx';
import { makeProofCharge, PROOF_CENTS, type ProofDeps, proofCardOf } from './proof-charge.ts';

const PATH = '/setup/merchants/:id/test-charge';

export function proofPages(deps: ProofDeps): AddPages {
  return ({ attemptPage, action, mode }) => {
    // Live money is only taken from callers.
    if (mode === 'live') return;
    attemptPage(PATH, async (visit) => proofView(visit, deps, await readMerchant(visit)));
    action(PATH, (visit) => prove(visit, deps));
  };
}

const readMerchant = (visit: Visit<'id'>) => visit.ask<MerchantResource>({ path: merchantPath(visit) });

async function prove(visit: Visit<'id'>, deps: ProofDeps): Promise<Taken> {
  requireDeveloper(visit);
  const merchant = await readMerchant(visit);
  const made = await makeProofCharge(visit, deps, merchant);
  if ('charge' in made) return { to: `/setup/merchants/${merchant.merchant_id}/test-charge?charge=${made.charge}` };
  return proofView(visit, deps, merchant, made.why);
}

const NOTICES = { connected: 'Processor connected. Now make a test charge' };

/** @param why nothing was charged */
async function proofView(
  visit: Visit<'id'>,
  { processors }: ProofDeps,
  merchant: MerchantResource,
  why?: string,
): Promise<View> {
  const result = why === undefined && visit.query.charge ? await readResult(visit, visit.query.charge) : null;
  const card = proofCardOf(processors, merchant);
  const { processor } = merchant;
  const title = processor === null ? 'The processor' : (PROCESSOR_NAMES[processor] ?? words(processor));
  const notice = result === null ? noticeOf(visit, NOTICES) : null;
  const page = settingsPage(visit, {
    tab: 'merchants',
    title: 'Test charge',
    lead: merchant.business_name,
    children: (
      <>
        <ConnectSteps at="test" />
        {notice !== null && <Notice tone="good" title={notice} />}
        {why !== undefined && (
          <Notice tone="bad" title="Nothing was charged">
            <p>{why}</p>
          </Notice>
        )}
        {result !== null && <Result visit={visit} {...result} title={title} />}
        {typeof card === 'string' ? (
          <p>{card}</p>
        ) : (
          <p>
            Charges {moneyText(PROOF_CENTS, merchant.currency)} at {title} to a published test card ({card.about}), as
            if a caller had entered it on the keypad, and refunds it. No real money moves.
          </p>
        )}
        <NextSteps visit={visit} merchant={merchant} hasCard={typeof card !== 'string'} isProven={isProven(result)} />
      </>
    ),
  });
  return why === undefined ? page : { ...page, status: 422 };
}

function NextSteps({
  visit,
  merchant,
  hasCard,
  isProven: isDone,
}: {
  visit: Visit;
  merchant: MerchantResource;
  hasCard: boolean;
  isProven: boolean;
}) {
  const address = `/setup/merchants/${merchant.merchant_id}`;
  const links = (
    <>
      <a class="button" href={`${visit.base}/try`}>
        Place a test call
      </a>
      <a class="button" href={visit.base + address}>
        {isDone ? 'Done' : 'Back to the merchant'}
      </a>
    </>
  );
  if (!hasCard) return <div class="actions">{links}</div>;
  return (
    <Form
      visit={visit}
      action={`${address}/test-charge`}
      submit={isDone ? 'Make another test charge' : 'Make a test charge'}
      tone={isDone ? 'plain' : 'first'}
      isOnce
      instead={links}
    />
  );
}

interface ProofResult {
  charge: ListedChargeResource;
  refund: RefundResource | null;
  requirements: MerchantStatusResource['requirements'];
}

async function readResult(visit: Visit<'id'>, id: string): Promise<ProofResult> {
  const [charge, { refunds }, { requirements }] = await Promise.all([
    visit.ask<ListedChargeResource>({ path: `/v1/charges/${encodeURIComponent(id)}` }),
    visit.ask<{ refunds: RefundResource[] }>({ path: '/v1/refunds', query: { charge: id, limit: '1' } }),
    visit.ask<MerchantStatusResource>({ path: `${merchantPath(visit)}/status` }),
  ]);
  return { charge, refund: refunds[0] ?? null, requirements };
}

const isProven = (result: ProofResult | null) => result?.charge.status === 'succeeded';

function Result({ visit, charge, refund, requirements, title }: ProofResult & { visit: Visit; title: string }) {
  const isPaid = charge.status === 'succeeded';
  const open = requirements.filter(({ code }) => code !== 'test_environment');
  return (
    <>
      <ol class="checklist">
        <ChecklistItem isDone title={`Checkout created for ${moneyText(charge.amount_cents, charge.currency)}`} />
        <ChecklistItem isDone={isPaid} title={chargeTitle(charge, title)}>
          {isPaid && charge.processor_payment_id !== null && (
            <p>
              Processor reference <span class="id">{charge.processor_payment_id}</span>
            </p>
          )}
          {!isPaid && <ChargeFailure charge={charge} />}
        </ChecklistItem>
        {isPaid && <RefundStep charge={charge} refund={refund} title={title} />}
      </ol>
      {!isPaid && open.length > 0 && (
        <Notice tone="wait" title={`What ${title} reports`}>
          {open.map(({ code, message }) => (
            <p key={code}>{message}</p>
          ))}
        </Notice>
      )}
      <p>
        <a href={`${visit.base}/charges/${charge.charge_id}`}>The charge</a>
      </p>
    </>
  );
}

function chargeTitle({ status, created_at, settled_at }: ListedChargeResource, title: string): string {
  const took = settled_at === null ? '' : ` in ${durationText(created_at, settled_at)}`;
  if (status === 'succeeded') return `Test card charged by ${title}${took}`;
  return status === 'failed'
    ? `${title} did not charge the test card`
    : `${title} has not confirmed the outcome of the charge`;
}

function ChargeFailure({ charge: { status, failure } }: { charge: ListedChargeResource }) {
  if (status !== 'failed') return <p>Ringkey keeps looking it up. Reload this page in a minute.</p>;
  return (
    <>
      <p>{failure?.message}</p>
      {failure?.processor_code !== undefined && (
        <p>
          Processor code <span class="id">{failure.processor_code}</span>
        </p>
      )}
    </>
  );
}

function RefundStep({
  charge,
  refund,
  title,
}: {
  charge: ListedChargeResource;
  refund: RefundResource | null;
  title: string;
}) {
  if (refund?.status === 'succeeded') return <ChecklistItem isDone title="Refunded" />;
  if (refund?.status === 'pending') {
    return (
      <ChecklistItem isDone={false} title={`Refund sent to ${title}, not confirmed yet`}>
        <p>Some processors confirm it later. Reload this page in a minute.</p>
      </ChecklistItem>
    );
  }
  return (
    <ChecklistItem isDone={false} title="Not refunded">
      <p>
        {refund === null
          ? `Ringkey cannot refund payments at ${title}. The test charge stays in its test environment.`
          : `${title} refused the refund.`}{' '}
        Charge <span class="id">{charge.charge_id}</span>
      </p>
    </ChecklistItem>
  );
}
