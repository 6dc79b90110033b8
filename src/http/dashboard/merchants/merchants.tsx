/** Merchants: the list, adding a merchant, and its settings. */

import type { ComponentChildren } from 'preact';
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { MerchantList, MerchantStatusResource } from '../../api/routes/merchant-shapes.ts';
import { API_CALL_FORM } from '../form/api-call.tsx';
import { TimeZoneField } from '../form/choices.tsx';
import { FormFault, type FormState, unsent } from '../form/fields.tsx';
import { GuardedForm } from '../form/form.tsx';
import { formPage, sendForm } from '../form/form-page.tsx';
import { secretPage, settingsPage } from '../form/settings.tsx';
import { timeZoneIn } from '../form/time-zones.ts';
import { listPage } from '../list/list-page.tsx';
import { listWords } from '../list/words/index.ts';
import { InEnglish, withoutRequest } from '../page/english.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, Block, Facts, Notice, noticeOf, Time } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import type { DashboardDeps } from '../ports.ts';
import { processorText } from '../words/names/processors.ts';
import { LogoBlock, readLogo } from './logo-parts.tsx';
import { BusinessName, Currency, LanguageChoice, MerchantFields, VOICE_LIST } from './merchant-fields.tsx';
import { merchantForm, settingsChanged } from './merchant-form.ts';
import { following, MerchantPreview } from './preview.tsx';
import { merchantWords } from './words/index.ts';

type Voices = Pick<DashboardDeps['speech'], 'voices'>;

export function merchantPages({ speech }: { speech: Voices }): AddPages {
  return (routes) => {
    merchantList(routes);
    newMerchantForm(routes);
    routes.page('/setup/merchants/:id', (visit) => showMerchant(visit, speech));
    // Policy and order source decide what callers pay. Numbers and return method decide where calls go.
    routes.liveGuardedAction('/setup/merchants/:id', (visit, fields) => changeMerchant(visit, speech, fields));
  };
}

const merchantList = listPage<MerchantList['merchants'][number]>(() => {
  const w = merchantWords();
  return {
    at: { tab: 'merchants' },
    title: w.title,
    lead: w.lead,
    label: w.label,
    source: { path: '/v1/merchants', field: 'merchants', idOf: ({ merchant_id }) => merchant_id },
    filters: [{ kind: 'text', name: 'search', label: listWords().findMerchant, hint: listWords().findMerchantHint }],
    hasNoViews: true,
    add: { text: w.add, path: '/setup/merchants/new' },
    href: ({ merchant_id }) => `/setup/merchants/${merchant_id}`,
    columns: () => [
      { head: w.heads.name, cell: ({ business_name }) => <span>{business_name}</span> },
      { head: w.heads.processor, width: 'status', cell: ({ processor }) => <ProcessorName name={processor} /> },
      { head: w.heads.policy, cell: ({ payment_policy }) => <span>{w.policies[payment_policy]}</span> },
      { head: w.heads.currency, width: 'short', cell: ({ currency }) => <span>{currency}</span> },
      { head: w.heads.added, kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
    ],
    empty: () => ({ icon: 'checkout', ...w.empty }),
  };
});

export const merchantPath = (visit: Visit<'id'>) => `/v1/merchants/${idInPath(visit)}`;

function ProcessorName({ name }: { name: string | null }) {
  if (name === null) return <Badge status="not connected" name={merchantWords().notConnected} tone="wait" />;
  return <span>{processorText(name)}</span>;
}

const newMerchantForm = formPage<MerchantResource>(() => ({
  tab: 'merchants',
  title: merchantWords().add,
  lead: () => merchantWords().addLead,
  submit: merchantWords().add,
  values: { language: 'en-US' },
  fields: (form) => (
    <>
      <BusinessName form={form} />
      <Currency form={form} />
      <LanguageChoice form={form} />
      <TimeZoneField form={form} isOwn hint={merchantWords().addTimeZone} />
    </>
  ),
  request: ({ business_name = '', currency = '', language, time_zone }) => ({
    method: 'POST',
    path: '/v1/merchants',
    body: {
      business_name: business_name.trim(),
      currency: currency || 'USD',
      ...(language && { language }),
      ...(time_zone?.trim() && { time_zone: timeZoneIn(time_zone) }),
    },
  }),
  created: (_visit, { merchant_id }) => ({ to: `/setup/merchants/${merchant_id}?notice=added` }),
}));

async function showMerchant(visit: Visit<'id'>, speech: Voices): Promise<View> {
  const merchant = await visit.ask<MerchantResource>({ path: merchantPath(visit) });
  return merchantView(visit, speech, { merchant, form: unsent(merchantForm(merchant)) });
}

interface MerchantPage {
  merchant: MerchantResource;
  form: FormState;
  /** The greeting sample, after “Play greeting”. */
  greeting?: ComponentChildren;
}

export async function merchantView(
  visit: Visit<'id'>,
  speech: Voices,
  { merchant, form, greeting }: MerchantPage,
): Promise<View> {
  const [status, logo] = await Promise.all([
    visit.ask<MerchantStatusResource>({ path: `${merchantPath(visit)}/status` }),
    readLogo(visit),
  ]);
  const w = merchantWords();
  const notice = noticeOf(visit, w.notices);
  const address = `/setup/merchants/${merchant.merchant_id}`;
  return settingsPage(visit, {
    tab: 'merchants',
    title: merchant.business_name,
    heading: (
      <>
        <bdi>{merchant.business_name}</bdi> <PaymentState of={status} />
      </>
    ),
    forms: [form],
    children: (
      <>
        {notice !== null && form.error === null && <Notice tone="good" title={notice} />}
        <Processor visit={visit} merchant={merchant} status={status} />
        <LogoBlock visit={visit} merchant={merchant} logo={logo} />
        <Block title={w.settings}>
          <FormFault form={form} />
          <div class="with-preview">
            <GuardedForm
              visit={visit}
              id={API_CALL_FORM}
              action={address}
              submit={w.save}
              instead={
                <a class="button to-preview" href="#preview">
                  {w.preview.title}
                </a>
              }
            >
              <MerchantFields
                form={form}
                mode={visit.mode}
                voices={speech.voices()}
                voicesFollow={following(visit, merchant, VOICE_LIST, ['language', 'second_language'])}
              />
            </GuardedForm>
            <MerchantPreview visit={visit} merchant={merchant} fields={form.values}>
              {greeting}
            </MerchantPreview>
          </div>
        </Block>
      </>
    ),
  });
}

function PaymentState({ of: { can_take_payments } }: { of: MerchantStatusResource }) {
  const { ready, notReady } = merchantWords();
  return can_take_payments ? (
    <Badge status="ready for payments" name={ready} tone="good" />
  ) : (
    <Badge status="not ready for payments" name={notReady} tone="wait" />
  );
}

function Processor({
  visit,
  merchant: { merchant_id, processor, slug },
  status: { requirements, wallets },
}: {
  visit: Visit;
  merchant: MerchantResource;
  status: MerchantStatusResource;
}) {
  const w = merchantWords();
  return (
    <Block title={w.facts.processor}>
      <Facts
        facts={[
          [w.facts.merchant, <span class="id">{merchant_id}</span>],
          [w.facts.header, <span class="id">{slug}</span>],
          [w.facts.processor, <ProcessorName name={processor} />],
          ['Apple Pay', walletState(wallets?.apple_pay)],
          ['Google Pay', walletState(wallets?.google_pay)],
        ]}
      />
      {requirements.length > 0 && (
        <>
          <p>{w.required}</p>
          <ul class="bullets">
            {requirements.map(({ code, message }) => (
              <li key={code}>
                <InEnglish text={withoutRequest(message)} />
              </li>
            ))}
          </ul>
        </>
      )}
      <div class="actions">
        <a class="button" href={`${visit.base}/setup/merchants/${merchant_id}/processor`}>
          {processor === null ? w.connect : w.change}
        </a>
        {processor !== null && (
          <>
            <a class="button" href={`${visit.base}/setup/merchants/${merchant_id}/notifications`}>
              {w.notifications}
            </a>
            {visit.mode === 'test' && (
              <a class="button" href={`${visit.base}/setup/merchants/${merchant_id}/test-charge`}>
                {w.testCharge}
              </a>
            )}
          </>
        )}
      </div>
    </Block>
  );
}

function walletState(isShown: boolean | undefined): string {
  const w = merchantWords().wallet;
  if (isShown === undefined) return w.unknown;
  return isShown ? w.shown : w.notShown;
}

async function changeMerchant(visit: Visit<'id'>, speech: Voices, fields: FormFields): Promise<Taken> {
  const before = await visit.ask<MerchantResource>({ path: merchantPath(visit) });
  const address = `/setup/merchants/${before.merchant_id}`;
  const body = settingsChanged(before, fields);
  if (Object.keys(body).length === 0) return { to: `${address}?notice=unchanged` };
  return sendForm<MerchantResource>(visit, fields, {
    request: { method: 'PATCH', path: merchantPath(visit), body },
    done(merchant) {
      const secret = merchant.order_source.signing_secret;
      return secret === undefined ? { to: `${address}?notice=changed` } : orderSecretPage(visit, merchant, secret);
    },
    again: (form) => merchantView(visit, speech, { merchant: before, form }),
  });
}

const orderSecretPage = (visit: Visit, { merchant_id, business_name }: MerchantResource, secret: string): View =>
  secretPage(visit, {
    tab: 'merchants',
    ...merchantWords().orderSecret,
    lead: business_name,
    secret,
    next: `/setup/merchants/${merchant_id}`,
  });
