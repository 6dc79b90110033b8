/** The last step of connecting a processor: a test charge and its refund, each with its outcome in words. */

import type { ListedChargeResource } from '../../../contract/charges.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { RefundResource } from '../../../contract/refunds.ts';
import type { MerchantStatusResource } from '../../api/routes/merchant-shapes.ts';
import { Form } from '../form/form.tsx';
import { maySend } from '../form/roles.tsx';
import { settingsPage } from '../form/settings.tsx';
import { ChecklistItem } from '../page/checklist.tsx';
import { InEnglish, withoutRequest } from '../page/english.tsx';
import { durationText } from '../page/links.tsx';
import type { AddPages, Taken, View } from '../page/page-routes.ts';
import { moneyText, Notice, noticeOf } from '../page/parts.tsx';
import { requireDeveloper, type Visit } from '../page/visit.ts';
import { processorText } from '../words/names/processors.ts';
import { ConnectSteps } from './connect-steps.tsx';
import { merchantPath } from './merchants.tsx';
import { hasCredentials } from './processor.tsx';
import { makeProofCharge, type NotCharged, PROOF_CENTS, type ProofDeps, proofCardOf } from './proof-charge.ts';
import { processorWords } from './words/processor/index.ts';

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
  return proofView(visit, deps, merchant, made);
}

async function proofView(
  visit: Visit<'id'>,
  { processors }: ProofDeps,
  merchant: MerchantResource,
  refused?: NotCharged,
): Promise<View> {
  const w = processorWords().proof;
  const result = refused === undefined && visit.query.charge ? await readResult(visit, visit.query.charge) : null;
  const card = proofCardOf(processors, merchant);
  const { processor } = merchant;
  const title = processor === null ? w.theProcessor : processorText(processor);
  const notice = result === null ? noticeOf(visit, { connected: w.connected }) : null;
  const page = settingsPage(visit, {
    tab: 'merchants',
    title: w.title,
    lead: merchant.business_name,
    children: (
      <>
        <ConnectSteps at="test" hasCredentials={processor === null || hasCredentials(processor)} />
        {notice !== null && <Notice tone="good" title={notice} />}
        {refused !== undefined && (
          <Notice tone="bad" title={w.nothingCharged}>
            <p>{refused.isApis ? <InEnglish text={refused.why} /> : refused.why}</p>
          </Notice>
        )}
        {result !== null && <Result visit={visit} {...result} title={title} />}
        {typeof card === 'string' && <p>{card}</p>}
        {typeof card !== 'string' && result === null && (
          <p>{w.about(moneyText(PROOF_CENTS, merchant.currency), title, <InEnglish text={card.about} />)}</p>
        )}
        <NextSteps visit={visit} merchant={merchant} hasCard={typeof card !== 'string'} isProven={isProven(result)} />
      </>
    ),
  });
  return refused === undefined ? page : { ...page, status: 422 };
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
  const w = processorWords().proof;
  const address = `/setup/merchants/${merchant.merchant_id}`;
  const links = (
    <>
      <a class="button" href={`${visit.base}/try`}>
        {w.placeCall}
      </a>
      <a class="button" href={visit.base + address}>
        {isDone ? w.done : w.back}
      </a>
    </>
  );
  const action = `${address}/test-charge`;
  if (!hasCard || !maySend(visit, action)) return <div class="actions">{links}</div>;
  return (
    <Form
      visit={visit}
      action={action}
      submit={isDone ? w.makeAnother : w.make}
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
  const w = processorWords().proof;
  const isPaid = charge.status === 'succeeded';
  const open = requirements.filter(({ code }) => code !== 'test_environment');
  return (
    <>
      <ol class="checklist">
        <ChecklistItem isDone title={w.checkoutCreated(moneyText(charge.amount_cents, charge.currency))} />
        <ChecklistItem isDone={isPaid} title={chargeTitle(charge, title)}>
          {isPaid && charge.processor_payment_id !== null && (
            <p>{w.reference(<span class="id">{charge.processor_payment_id}</span>)}</p>
          )}
          {charge.status === 'failed' && <ChargeFailure charge={charge} title={title} />}
        </ChecklistItem>
        {isPaid && <RefundStep charge={charge} refund={refund} title={title} />}
      </ol>
      {open.length > 0 && (
        <Notice tone="wait" title={w.reports(title)}>
          {open.map(({ code, message }) => (
            <p key={code}>
              <InEnglish text={withoutRequest(message)} />
            </p>
          ))}
        </Notice>
      )}
      <Verdict charge={charge} refund={refund} title={title} open={open.length} />
      <p>
        <a href={`${visit.base}/charges/${charge.charge_id}`}>{w.charge}</a>
      </p>
    </>
  );
}

function chargeTitle({ status, created_at, settled_at }: ListedChargeResource, title: string): string {
  const w = processorWords().proof;
  if (status === 'succeeded')
    return settled_at === null ? w.charged(title) : w.chargedIn(title, chargeTime(created_at, settled_at));
  return status === 'failed' ? w.notCharged(title) : w.notConfirmed(title);
}

function chargeTime(from: string, to: string): string {
  const isShort = Date.parse(to) - Date.parse(from) < 1_000;
  return isShort ? processorWords().proof.underASecond : durationText(from, to);
}

type VerdictProps = Omit<ProofResult, 'requirements'> & {
  title: string;
  /** How many requirements are open. */
  open: number;
};

/** Whether the processor can be used, and otherwise what to do. */
function Verdict({ charge, refund, title, open }: VerdictProps) {
  const w = processorWords().proof;
  const amount = moneyText(charge.amount_cents, charge.currency);
  if (charge.status === 'failed') {
    return (
      <Notice tone="bad" title={w.verdict.fails(title)}>
        <p>{w.verdict.failsMore(title)}</p>
      </Notice>
    );
  }
  if (charge.status !== 'succeeded') {
    return (
      <Notice tone="wait" title={w.verdict.unknown(title)}>
        <p>{w.keepsLooking}</p>
      </Notice>
    );
  }
  // A test charge does not need all that callers' payments need.
  if (open > 0) return <Notice tone="wait" title={w.verdict.open(open)} />;
  const { works, pending, charges } = w.verdict;
  const refundStatus = refund?.status ?? 'failed';
  const words = { succeeded: works, pending, failed: charges }[refundStatus];
  return <Notice tone={refundStatus === 'succeeded' ? 'good' : 'wait'} title={words(title, amount)} />;
}

function ChargeFailure({ charge: { failure }, title }: { charge: ListedChargeResource; title: string }) {
  const w = processorWords().proof;
  return (
    <>
      {failure && (
        <p>
          {failure.code === 'merchant_credentials_invalid' ? (
            w.notAboutCard(title)
          ) : (
            <InEnglish text={failure.message} />
          )}
        </p>
      )}
      {failure?.processor_code !== undefined && <p>{w.code(<span class="id">{failure.processor_code}</span>)}</p>}
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
  const w = processorWords().proof;
  if (refund?.status === 'succeeded') return <ChecklistItem isDone title={w.refunded} />;
  if (refund?.status === 'pending') {
    return (
      <ChecklistItem isDone={false} title={w.refundSent(title)}>
        <p>{w.refundLater}</p>
      </ChecklistItem>
    );
  }
  const id = <span class="id">{charge.charge_id}</span>;
  return (
    <ChecklistItem isDone={false} title={w.notRefunded}>
      <p>{refund === null ? w.cannotRefund(title, id) : w.refundRefused(title, id)}</p>
    </ChecklistItem>
  );
}
