/** Merchants: the list, a new one, and the settings of one. */
import type { ComponentChildren } from 'preact';
import type { MerchantList, MerchantStatusResource } from '../../../api/routes/merchant-shapes.ts';
import type { MerchantResource } from '../../../contract/merchants.ts';
import { CURRENCIES } from '../../../domain/money.ts';
import { type ListSource, readList } from '../../list-reading.ts';
import { noticeOf } from '../../notices.ts';
import type { AddPages, FormFields, Taken, View } from '../../page-routes.ts';
import { Form } from '../../views/form.tsx';
import { ListPage } from '../../views/list-page.tsx';
import { Badge, Block, EmptyState, Facts, Notice, Time, words } from '../../views/parts.tsx';
import type { Visit } from '../../visit.ts';
import { ChoiceField, FormFault, type FormState, TextField, unsent } from './fields.tsx';
import { FormPage, refusedView, Secret, setupView } from './frame.tsx';
import { MerchantFields, merchantForm, settingsChanged } from './merchant-form.tsx';

export const merchantPages: AddPages = ({ page, formPage, action }) => {
  page('/setup/merchants', showMerchants);
  formPage('/setup/merchants/new', async (visit) => newMerchantView(visit, unsent()));
  action('/setup/merchants/new', createMerchant);
  page('/setup/merchants/:id', showMerchant);
  action('/setup/merchants/:id', changeMerchant);
};

type Listed = MerchantList['merchants'][number];
const MERCHANTS: ListSource<Listed> = {
  ...{ path: '/v1/merchants', field: 'merchants', idOf: ({ merchant_id }) => merchant_id },
};

export const merchantPath = ({ params }: Visit) => `/v1/merchants/${encodeURIComponent(params.id ?? '')}`;

async function showMerchants(visit: Visit): Promise<View> {
  const reading = await readList(visit, MERCHANTS, []);
  const add = (
    <a class="button first" href={`${visit.base}/setup/merchants/new`}>
      Add a merchant
    </a>
  );
  return setupView(visit, {
    tab: 'merchants',
    title: 'Merchants',
    body: (
      <ListPage
        visit={visit}
        title="Merchants"
        lead="Whom the money is for: what the line says, what it asks, and which processor charges."
        label="Merchants, newest first"
        reading={reading}
        source={MERCHANTS}
        actions={add}
        href={({ merchant_id }) => `${visit.base}/setup/merchants/${merchant_id}`}
        columns={[
          { head: 'Name', cell: ({ business_name }) => <span>{business_name}</span> },
          { head: 'Processor', cell: ({ processor }) => <ProcessorName name={processor} /> },
          { head: 'Policy', cell: ({ payment_policy }) => <span>{words(payment_policy)}</span> },
          { head: 'Currency', cell: ({ currency }) => <span>{currency}</span> },
          { head: 'Added', kind: 'time', cell: ({ created_at }) => <Time at={created_at} /> },
        ]}
        empty={
          <EmptyState
            icon="checkout"
            title="No merchant yet"
            text="A checkout is for a merchant: add one, then connect the processor that takes its payments."
            action={add}
          />
        }
      />
    ),
  });
}

function ProcessorName({ name }: { name: string | null }) {
  return name === null ? <Badge status="not connected" tone="wait" /> : <span>{words(name)}</span>;
}

function newMerchantView(visit: Visit, form: FormState): View {
  return setupView(visit, {
    tab: 'merchants',
    title: 'Add a merchant',
    ...(form.error !== null && { status: 422 }),
    body: (
      <FormPage title="Add a merchant" lead="All else has a default, and can be changed afterwards.">
        <FormFault form={form} />
        <Form visit={visit} action="/setup/merchants/new" submit="Add the merchant" cancel="/setup/merchants" isOnce>
          <TextField
            form={form}
            name="business_name"
            label="Business name"
            hint="Spoken to callers, and shown on the pay page and the receipt."
            maxlength={100}
            required
          />
          <ChoiceField
            form={form}
            name="currency"
            label="Currency"
            choices={CURRENCIES.map((currency) => [currency, currency])}
          />
        </Form>
      </FormPage>
    ),
  });
}

async function createMerchant(visit: Visit, fields: FormFields): Promise<Taken> {
  const answer = await visit.tryAsk<MerchantResource>({
    method: 'POST',
    path: '/v1/merchants',
    body: { business_name: fields.business_name, currency: fields.currency },
  });
  if (!answer.ok) return refusedView(answer, (error) => newMerchantView(visit, { values: fields, error }));
  return { to: `/setup/merchants/${answer.body.merchant_id}?notice=added` };
}

async function showMerchant(visit: Visit): Promise<View> {
  const merchant = await visit.ask<MerchantResource>({ path: merchantPath(visit) });
  return merchantView(visit, merchant, unsent(merchantForm(merchant)));
}

const NOTICES: Record<string, string> = {
  added: 'Added. Connect its processor next',
  changed: 'Saved: it holds from the next call on',
  unchanged: 'All is as it was',
  connected: 'Connected',
};

/** @param heard what the button below the settings was pressed for */
export async function merchantView(
  visit: Visit,
  merchant: MerchantResource,
  form: FormState,
  heard?: ComponentChildren,
): Promise<View> {
  const status = await visit.ask<MerchantStatusResource>({ path: `${merchantPath(visit)}/status` });
  const notice = noticeOf(visit, NOTICES);
  const address = `/setup/merchants/${merchant.merchant_id}`;
  return setupView(visit, {
    tab: 'merchants',
    title: merchant.business_name,
    ...(form.error !== null && { status: 422 }),
    body: (
      <FormPage
        title={
          <>
            <bdi>{merchant.business_name}</bdi> <PaymentState of={status} />
          </>
        }
      >
        {notice !== null && form.error === null && <Notice tone="good" title={notice} />}
        <Processor visit={visit} merchant={merchant} status={status} />
        <Block title="Settings">
          <FormFault form={form} />
          <Form
            visit={visit}
            action={address}
            submit="Save the settings"
            instead={<HearButton visit={visit} {...merchant} />}
          >
            <MerchantFields form={form} mode={visit.mode} />
            {heard}
          </Form>
        </Block>
      </FormPage>
    ),
  });
}

/** Sends the form as it is; what it is answered with has the form again, and the sound. */
function HearButton({ visit, merchant_id }: { visit: Visit } & Pick<MerchantResource, 'merchant_id'>) {
  return (
    <button type="submit" formaction={`${visit.base}/setup/merchants/${merchant_id}/greeting#heard`} formnovalidate>
      Hear the greeting
    </button>
  );
}

function PaymentState({ of: { can_take_payments } }: { of: MerchantStatusResource }) {
  return can_take_payments ? (
    <Badge status="can be paid" tone="good" />
  ) : (
    <Badge status="cannot be paid yet" tone="wait" />
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
          ['Name in the header X-Ringkey-Merchant', <span class="id">{slug}</span>],
          ['Processor', <ProcessorName name={processor} />],
          ['Apple Pay', walletState(wallets?.apple_pay)],
          ['Google Pay', walletState(wallets?.google_pay)],
        ]}
      />
      {requirements.length > 0 && (
        <>
          <p>What still keeps it from live payments:</p>
          <ul>
            {requirements.map(({ code, message }) => (
              <li key={code}>{message}</li>
            ))}
          </ul>
        </>
      )}
      <p>
        <a class="button" href={`${visit.base}/setup/merchants/${merchant_id}/processor`}>
          {processor === null ? 'Connect a processor' : 'Connect another, or new credentials'}
        </a>
      </p>
    </Block>
  );
}

function walletState(isShown: boolean | undefined): string {
  if (isShown === undefined) return 'Could not be asked';
  return isShown ? 'Shown on the pay page' : 'Not shown';
}

async function changeMerchant(visit: Visit, fields: FormFields): Promise<Taken> {
  const before = await visit.ask<MerchantResource>({ path: merchantPath(visit) });
  const address = `/setup/merchants/${before.merchant_id}`;
  const body = settingsChanged(before, fields);
  if (Object.keys(body).length === 0) return { to: `${address}?notice=unchanged` };
  const answer = await visit.tryAsk<MerchantResource>({ method: 'PATCH', path: merchantPath(visit), body });
  if (!answer.ok) {
    const { error } = answer;
    const view = await merchantView(visit, before, { values: fields, error });
    return refusedView(answer, () => view);
  }
  const secret = answer.body.order_source.signing_secret;
  return secret === undefined ? { to: `${address}?notice=changed` } : orderSecretView(visit, answer.body, secret);
}

function orderSecretView(visit: Visit, { merchant_id, business_name }: MerchantResource, secret: string): View {
  return setupView(visit, {
    tab: 'merchants',
    title: 'Secret of the order source',
    body: (
      <FormPage title="Secret of the order source" lead={business_name}>
        <Secret name="signing secret" value={secret} what="Your order server checks our questions with it." />
        <p>
          <a class="button" href={`${visit.base}/setup/merchants/${merchant_id}`}>
            I have copied it
          </a>
        </p>
      </FormPage>
    ),
  });
}
