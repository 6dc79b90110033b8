/** Connecting a merchant's processor. Credentials go to the processor and the vault and are never shown again. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { Mode } from '../../../domain/session.ts';
import type { ApiQuestion } from '../../api/in-process.ts';
import { ApiCall, ShellVariable } from '../form/api-call.tsx';
import { FormFault, type FormState, SecretField, unsent } from '../form/fields.tsx';
import { GuardedForm } from '../form/form.tsx';
import { sendForm } from '../form/form-page.tsx';
import { settingsPage } from '../form/settings.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import type { Visit } from '../page/visit.ts';
import { ConnectSteps } from './connect-steps.tsx';
import { connectionError } from './connection-errors.ts';
import { merchantPath } from './merchants.tsx';
import { processorWords } from './words/processor/index.ts';

export const processorPages: AddPages = ({ page, liveGuardedAction }) => {
  page('/setup/merchants/:id/processor', (visit) => processorView(visit, visit.query.processor ?? '', unsent()));
  // Otherwise anyone at an open browser could redirect the merchant's money.
  liveGuardedAction('/setup/merchants/:id/processor', connectProcessor);
};

/** The names of a processor's credentials in REST. */
interface Credentials {
  required: readonly string[];
  optional: readonly string[];
}

const KINDS = {
  stripe: { required: ['secret_key'], optional: ['publishable_key', 'account_id'] },
  square: { required: ['access_token', 'application_id', 'location_id'], optional: [] },
  authorizenet: { required: ['api_login_id', 'transaction_key'], optional: ['public_client_key'] },
  checkoutcom: { required: ['secret_key'], optional: ['public_key', 'processing_channel_id', 'prefix'] },
  worldpay: { required: ['username', 'password', 'entity', 'narrative'], optional: ['checkout_id'] },
  braintree: {
    required: ['public_key', 'private_key', 'merchant_account_id', 'currency'],
    optional: ['tokenization_key'],
  },
  hyperswitch: { required: ['base_url', 'api_key', 'connector'], optional: ['profile_id'] },
  adyen: {
    required: ['api_key', 'merchant_account'],
    optional: ['url_prefix', 'client_key', 'environment', 'report_api_key'],
  },
  payconnector: { required: ['url', 'username', 'password'], optional: ['lookup_url'] },
  sandbox: { required: [], optional: [] },
  sandbox_page: { required: [], optional: [] },
} as const satisfies Record<string, Credentials>;
type KindName = keyof typeof KINDS;

/**
 * Names, addresses and public keys: the user can read them while typing. Like secrets, they are never sent back, because
 * a user can enter a secret in the wrong field.
 */
const READABLE: readonly string[] = [
  'account_id',
  'application_id',
  'base_url',
  'checkout_id',
  'client_key',
  'connector',
  'currency',
  'entity',
  'environment',
  'location_id',
  'lookup_url',
  'merchant_account',
  'merchant_account_id',
  'narrative',
  'prefix',
  'processing_channel_id',
  'profile_id',
  'public_client_key',
  'public_key',
  'publishable_key',
  'url',
  'url_prefix',
];

/** Whether the user enters credentials of the processor. Also of one that the dashboard does not know. */
export const hasCredentials = (name: string) => !isKind(name) || KINDS[name].required.length > 0;

const isKind = (name: string): name is KindName => Object.hasOwn(KINDS, name);

/** Beside the credentials, for processors that send notifications. */
const NOTIFICATION_SECRET = 'notification_secret';
const NOTIFIES: readonly string[] = ['stripe', 'square', 'authorizenet', 'checkoutcom', 'adyen', 'hyperswitch'];

const kindsIn = (mode: Mode) =>
  Object.keys(KINDS).filter(
    (name): name is KindName => isKind(name) && (mode === 'test' || !name.startsWith('sandbox')),
  );

async function processorView(visit: Visit<'id'>, chosen: string, form: FormState): Promise<View> {
  const merchant = await visit.ask<MerchantResource>({ path: merchantPath(visit) });
  const w = processorWords();
  const kind = kindsIn(visit.mode).find((name) => name === chosen);
  return settingsPage(visit, {
    tab: 'merchants',
    title: w.connect,
    lead: merchant.business_name,
    forms: [form],
    children: (
      <>
        <ConnectSteps
          at={kind === undefined || !hasCredentials(kind) ? 'choose' : 'credentials'}
          isLive={visit.mode === 'live'}
          hasCredentials={kind === undefined || hasCredentials(kind)}
        />
        <Choices mode={visit.mode} chosen={kind} />
        <FormFault form={form} />
        {kind !== undefined && <Connect visit={visit} merchant={merchant} kind={kind} form={form} />}
      </>
    ),
  });
}

/** Once a processor is chosen, the others are folded, so that its form follows. */
function Choices({ mode, chosen }: { mode: Mode; chosen: KindName | undefined }) {
  const w = processorWords();
  const cards = (names: readonly KindName[]) => (
    <div class="choices">
      {names.map((name) => (
        <a key={name} href={`?processor=${name}#connect`} aria-current={name === chosen ? 'true' : undefined}>
          <strong>{w.kinds[name].title}</strong>
          <span>{w.kinds[name].text}</span>
        </a>
      ))}
    </div>
  );
  const others = cards(kindsIn(mode).filter((name) => name !== chosen));
  return (
    <nav aria-label={w.processors}>
      {chosen === undefined ? (
        others
      ) : (
        <>
          {cards([chosen])}
          <details class="other-choices">
            <summary>{w.otherProcessors}</summary>
            {others}
          </details>
        </>
      )}
    </nav>
  );
}

function Connect({
  visit,
  merchant,
  kind,
  form,
}: {
  visit: Visit;
  merchant: MerchantResource;
  kind: KindName;
  form: FormState;
}) {
  const w = processorWords();
  const back = `/setup/merchants/${merchant.merchant_id}`;
  return (
    <div id="connect">
      <GuardedForm
        visit={visit}
        signInTo={`${visit.path}?processor=${kind}`}
        action={`${back}/processor`}
        submit={w.connectTo(w.kinds[kind].title)}
        cancel={back}
        isOnce
      >
        <input type="hidden" name="processor" value={kind} />
        <CredentialFields form={form} kind={kind} />
        {NOTIFIES.includes(kind) && (
          <SecretField
            form={form}
            name={NOTIFICATION_SECRET}
            label={w.notificationSecret}
            hint={w.notificationSecretHint}
            required={false}
          />
        )}
        {merchant.processor !== null && <p class="hint">{w.replaces}</p>}
      </GuardedForm>
      <ApiCall visit={visit} question={connectQuestion(merchant, kind)} />
    </div>
  );
}

function CredentialFields({ form, kind }: { form: FormState; kind: KindName }) {
  const w = processorWords();
  const labels: Readonly<Record<string, { label: string; hint?: string }>> = w.kinds[kind].credentials;
  const { required, optional }: Credentials = KINDS[kind];
  return (
    <>
      {[...required, ...optional].map((name) => {
        const { label = name, hint } = labels[name] ?? {};
        const isRequired = required.includes(name);
        return (
          <SecretField
            key={name}
            form={form}
            name={name}
            label={isRequired ? label : w.optional(label)}
            {...(hint !== undefined && { hint })}
            required={isRequired}
            isReadable={READABLE.includes(name)}
          />
        );
      })}
    </>
  );
}

/** The request as an API call: each credential is a variable. */
function connectQuestion({ merchant_id }: MerchantResource, processor: KindName): ApiQuestion {
  const variables = KINDS[processor].required.map((name) => [name, new ShellVariable(name.toUpperCase())]);
  return {
    method: 'POST',
    path: `/v1/merchants/${merchant_id}/processor`,
    body: { processor, ...(variables.length > 0 && { credentials: Object.fromEntries(variables) }) },
  };
}

async function connectProcessor(visit: Visit<'id'>, { processor = '', ...fields }: FormFields): Promise<Taken> {
  const names: readonly string[] = isKind(processor)
    ? [...KINDS[processor].required, ...KINDS[processor].optional]
    : [];
  const given = names.flatMap((name) => (fields[name]?.trim() ? [[name, fields[name].trim()] as const] : []));
  const secret = NOTIFIES.includes(processor) ? fields[NOTIFICATION_SECRET]?.trim() : undefined;
  return sendForm<MerchantResource>(visit, fields, {
    request: {
      method: 'POST',
      path: `${merchantPath(visit)}/processor`,
      body: {
        processor,
        credentials: Object.fromEntries(given),
        ...(secret !== undefined && secret !== '' && { notification_secret: secret }),
      },
    },
    done: ({ merchant_id }) => ({
      to: `/setup/merchants/${merchant_id}${visit.mode === 'test' ? '/test-charge' : ''}?notice=connected`,
    }),
    again: ({ error }) => {
      // The user enters the credentials again, because no page ever contains them.
      const values = Object.fromEntries([...names, NOTIFICATION_SECRET].map((name) => [name, '']));
      const shown = isKind(processor)
        ? connectionError({ mode: visit.mode, processor, given: Object.fromEntries(given), error })
        : error;
      return processorView(visit, processor, { values, error: shown });
    },
  });
}
