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
import { listPage } from '../list/list-page.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Badge, Block, Facts, Notice, noticeOf, Time, words } from '../page/parts.tsx';
import { idInPath, type Visit } from '../page/visit.ts';
import type { DashboardDeps } from '../ports.ts';
import { BusinessName, Currency, LanguageChoice, MerchantFields } from './merchant-fields.tsx';
import { merchantForm, settingsChanged } from './merchant-form.ts';
import { MerchantPreview } from './preview.tsx';

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

const merchantList = listPage<MerchantList['merchants'][number]>(() => ({
  at: { tab: 'merchants' },
  title: 'Merchants',
  lead: 'Who gets paid, what the line says and asks, and which processor charges the cards.',
  label: 'Merchants, newest first',
  source: { path: '/v1/merchants', field: 'merchants', idOf: ({ merchant_id }) => merchant_id },
  add: { text: 'Add merchant', path: '/setup/merchants/new' },
  href: ({ merchant_id }) => `/setup/merchants/${merchant_id}`,
  columns: () => [
    { head: 'Name', cell: ({ business_name }) => <span>{business_name}</span> },
    { head: 'Processor', cell: ({ processor }) => <ProcessorName name={processor} /> },
    { head: 'Policy', cell: ({ payment_policy }) => <span>{words(payment_policy)}</span> },
    { head: 'Currency', cell: ({ currency }) => <span>{currency}</span> },
    { head: 'Added', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
  ],
  empty: () => ({
    icon: 'checkout',
    title: 'No merchants yet',
    text: 'Every checkout belongs to a merchant. Add one, then connect the processor that charges cards for it.',
  }),
}));

export const merchantPath = (visit: Visit<'id'>) => `/v1/merchants/${idInPath(visit)}`;

function ProcessorName({ name }: { name: string | null }) {
  return name === null ? <Badge status="not connected" tone="wait" /> : <span>{words(name)}</span>;
}

const newMerchantForm = formPage<MerchantResource>(() => ({
  tab: 'merchants',
  title: 'Add merchant',
  lead: () => 'All other settings have defaults that you can change later.',
  submit: 'Add merchant',
  values: { language: 'en-US' },
  fields: (form) => (
    <>
      <BusinessName form={form} />
      <Currency form={form} />
      <LanguageChoice form={form} />
      <TimeZoneField form={form} isOwn hint="For times in texts. Starts with the zone of your browser." />
    </>
  ),
  request: ({ business_name = '', currency = '', language, time_zone }) => ({
    method: 'POST',
    path: '/v1/merchants',
    body: {
      business_name: business_name.trim(),
      currency: currency || 'USD',
      ...(language && { language }),
      ...(time_zone?.trim() && { time_zone: time_zone.trim() }),
    },
  }),
  created: (_visit, { merchant_id }) => ({ to: `/setup/merchants/${merchant_id}?notice=added` }),
}));

async function showMerchant(visit: Visit<'id'>, speech: Voices): Promise<View> {
  const merchant = await visit.ask<MerchantResource>({ path: merchantPath(visit) });
  return merchantView(visit, speech, { merchant, form: unsent(merchantForm(merchant)) });
}

const NOTICES: Record<string, string> = {
  added: 'Merchant added. Next, connect its processor',
  changed: 'Saved. Changes apply from the next call',
  unchanged: 'No changes',
  connected: 'Processor connected',
};

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
  const status = await visit.ask<MerchantStatusResource>({ path: `${merchantPath(visit)}/status` });
  const notice = noticeOf(visit, NOTICES);
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
        <Block title="Settings">
          <FormFault form={form} />
          <div class="with-preview">
            <GuardedForm visit={visit} id={API_CALL_FORM} action={address} submit="Save settings">
              <MerchantFields form={form} mode={visit.mode} voices={speech.voices()} />
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
  return can_take_payments ? (
    <Badge status="ready for payments" tone="good" />
  ) : (
    <Badge status="not ready for payments" tone="wait" />
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
  return (
    <Block title="Processor">
      <Facts
        facts={[
          ['Merchant', <span class="id">{merchant_id}</span>],
          ['X-Ringkey-Merchant header', <span class="id">{slug}</span>],
          ['Processor', <ProcessorName name={processor} />],
          ['Apple Pay', walletState(wallets?.apple_pay)],
          ['Google Pay', walletState(wallets?.google_pay)],
        ]}
      />
      {requirements.length > 0 && (
        <>
          <p>Required for live payments:</p>
          <ul>
            {requirements.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </>
      )}
      <div class="actions">
        <a class="button" href={`${visit.base}/setup/merchants/${merchant_id}/processor`}>
          {processor === null ? 'Connect processor' : 'Change processor or credentials'}
        </a>
        {processor !== null && (
          <>
            <a class="button" href={`${visit.base}/setup/merchants/${merchant_id}/notifications`}>
              Notifications
            </a>
            {visit.mode === 'test' && (
              <a class="button" href={`${visit.base}/setup/merchants/${merchant_id}/test-charge`}>
                Make a test charge
              </a>
            )}
          </>
        )}
      </div>
    </Block>
  );
}

function walletState(isShown: boolean | undefined): string {
  if (isShown === undefined) return 'Unknown';
  return isShown ? 'Shown on the pay page' : 'Not shown';
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
    title: 'Signing secret of the order source',
    lead: business_name,
    copyNow: 'Copy the signing secret now',
    copy: 'Copy the signing secret',
    what: 'Your order server verifies Ringkey’s requests with it.',
    secret,
    next: `/setup/merchants/${merchant_id}`,
  });
