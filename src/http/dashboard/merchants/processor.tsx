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
import { merchantPath } from './merchants.tsx';

export const processorPages: AddPages = ({ page, liveGuardedAction }) => {
  page('/setup/merchants/:id/processor', (visit) => processorView(visit, visit.query.processor ?? '', unsent()));
  // Otherwise anyone at an open browser could redirect the merchant's money.
  liveGuardedAction('/setup/merchants/:id/processor', connectProcessor);
};

interface Credential {
  name: string;
  label: string;
  hint?: string;
  required: boolean;
}

interface Kind {
  title: string;
  text: string;
  credentials: readonly Credential[];
}

/** By their names in REST. */
const KINDS: Record<string, Kind> = {
  stripe: {
    title: 'Stripe',
    text: 'Accepts cards on the pay page. Also by keypad if Stripe has enabled MOTO payments and raw card data for the account.',
    credentials: [
      { name: 'secret_key', label: 'Secret or restricted key', hint: 'sk_… or rk_…', required: true },
      { name: 'publishable_key', label: 'Publishable key', hint: 'pk_…, for the pay page.', required: false },
      {
        name: 'account_id',
        label: 'Connected account',
        hint: 'acct_…, if the account belongs to your platform.',
        required: false,
      },
    ],
  },
  square: {
    title: 'Square',
    text: 'Accepts cards on the pay page only. Callers are texted the link immediately.',
    credentials: [
      { name: 'access_token', label: 'Access token', required: true },
      { name: 'application_id', label: 'Application ID', required: true },
      { name: 'location_id', label: 'Location ID', required: true },
    ],
  },
  authorizenet: {
    title: 'Authorize.net',
    text: 'Accepts cards by keypad, and on the pay page by Accept.js.',
    credentials: [
      { name: 'api_login_id', label: 'API login ID', required: true },
      { name: 'transaction_key', label: 'Transaction key', required: true },
      { name: 'public_client_key', label: 'Public client key', hint: 'For the pay page.', required: false },
    ],
  },
  checkoutcom: {
    title: 'Checkout.com',
    text: 'Accepts cards by keypad, and tokens on your own pages. Has no card fields on the pay page.',
    credentials: [
      { name: 'secret_key', label: 'Secret key', hint: 'sk_…', required: true },
      { name: 'public_key', label: 'Public key', hint: 'pk_…, for tokens.', required: false },
      {
        name: 'processing_channel_id',
        label: 'Processing channel',
        hint: 'pc_…, if you have several.',
        required: false,
      },
      { name: 'prefix', label: 'Prefix of your API address', hint: 'As in prefix.api.checkout.com.', required: false },
    ],
  },
  worldpay: {
    title: 'Worldpay',
    text: 'Accepts cards by keypad and on the pay page, at Access Worldpay.',
    credentials: [
      { name: 'username', label: 'User name', required: true },
      { name: 'password', label: 'Password', required: true },
      { name: 'entity', label: 'Entity', hint: 'From Worldpay, such as default.', required: true },
      { name: 'narrative', label: 'Statement text', hint: 'What payers read, up to 24 characters.', required: true },
      { name: 'checkout_id', label: 'Checkout ID', hint: 'For the pay page.', required: false },
    ],
  },
  braintree: {
    title: 'Braintree',
    text: 'Accepts cards by keypad and on the pay page.',
    credentials: [
      { name: 'public_key', label: 'Public key', required: true },
      { name: 'private_key', label: 'Private key', required: true },
      { name: 'merchant_account_id', label: 'Merchant account ID', hint: 'Not the merchant ID.', required: true },
      { name: 'currency', label: 'Currency', hint: 'Of this merchant account, such as USD.', required: true },
      { name: 'tokenization_key', label: 'Tokenization key', hint: 'For the pay page.', required: false },
    ],
  },
  hyperswitch: {
    title: 'Hyperswitch',
    text: 'Accepts cards by keypad at your own Hyperswitch server. No saved cards or pay page.',
    credentials: [
      { name: 'base_url', label: 'Address of the server', hint: 'https://…', required: true },
      { name: 'api_key', label: 'API key', hint: 'snd_… or prd_…', required: true },
      { name: 'connector', label: 'Connector', hint: 'adyen, checkout or worldpayvantiv.', required: true },
      { name: 'profile_id', label: 'Profile ID', hint: 'pro_…, if you have several.', required: false },
    ],
  },
  adyen: {
    title: 'Adyen',
    text: 'Accepts cards by keypad and on the pay page. Needs its notifications: without them, captures and refunds stay pending.',
    credentials: [
      { name: 'api_key', label: 'API key', required: true },
      { name: 'merchant_account', label: 'Merchant account', hint: 'One that takes MOTO payments.', required: true },
      { name: 'url_prefix', label: 'Prefix of your live addresses', hint: 'In live mode only.', required: false },
      { name: 'client_key', label: 'Client key', hint: 'test_… or live_…, for the pay page.', required: false },
      {
        name: 'environment',
        label: 'Environment of the client key',
        hint: 'In live mode, such as live-us.',
        required: false,
      },
      { name: 'report_api_key', label: 'API key for reports', hint: 'For payouts.', required: false },
    ],
  },
  payconnector: {
    title: 'Pay connector',
    text: 'Accepts cards by keypad, and sends them to the endpoint of a Generic Pay Connector (Twilio). No saved cards, refunds or pay page.',
    credentials: [
      { name: 'url', label: 'Endpoint URL', hint: 'https://…', required: true },
      { name: 'username', label: 'User name', required: true },
      { name: 'password', label: 'Password', required: true },
      {
        name: 'lookup_url',
        label: 'Lookup URL',
        hint: 'For charges whose answer was lost.',
        required: false,
      },
    ],
  },
  sandbox: { title: 'Sandbox', text: 'Accepts test cards. No money moves.', credentials: [] },
  sandbox_page: {
    title: 'Sandbox, pay page only',
    text: 'Accepts test cards on the pay page only.',
    credentials: [],
  },
};

/** Beside the credentials, for processors that send notifications. */
const NOTIFICATION_SECRET = 'notification_secret';
const NOTIFIES: readonly string[] = ['stripe', 'square', 'authorizenet', 'checkoutcom', 'adyen', 'hyperswitch'];

const kindsIn = (mode: Mode) =>
  Object.entries(KINDS).filter(([name]) => mode === 'test' || !name.startsWith('sandbox'));

async function processorView(visit: Visit<'id'>, chosen: string, form: FormState): Promise<View> {
  const merchant = await visit.ask<MerchantResource>({ path: merchantPath(visit) });
  const back = `/setup/merchants/${merchant.merchant_id}`;
  const kind = kindsIn(visit.mode).find(([name]) => name === chosen)?.[1];
  return settingsPage(visit, {
    tab: 'merchants',
    title: 'Connect processor',
    lead: merchant.business_name,
    forms: [form],
    children: (
      <>
        <ConnectSteps at={kind === undefined ? 'choose' : 'credentials'} isLive={visit.mode === 'live'} />
        <nav class="choices" aria-label="Processors">
          {kindsIn(visit.mode).map(([name, { title, text }]) => (
            <a key={name} href={`?processor=${name}#connect`} aria-current={name === chosen ? 'true' : undefined}>
              <strong>{title}</strong>
              <span>{text}</span>
            </a>
          ))}
        </nav>
        <FormFault form={form} />
        {kind !== undefined && (
          <div id="connect">
            <GuardedForm
              visit={visit}
              signInTo={`${visit.path}?processor=${chosen}`}
              action={`${back}/processor`}
              submit={`Connect ${kind.title}`}
              cancel={back}
              isOnce
            >
              <input type="hidden" name="processor" value={chosen} />
              {kind.credentials.map(({ name, label, hint, required }) => (
                <SecretField
                  key={name}
                  form={form}
                  name={name}
                  label={required ? label : `${label} (optional)`}
                  {...(hint !== undefined && { hint })}
                  required={required}
                />
              ))}
              {NOTIFIES.includes(chosen) && (
                <SecretField
                  form={form}
                  name={NOTIFICATION_SECRET}
                  label="Secret of its notifications (optional)"
                  hint="If you leave it empty, an earlier one is kept."
                  required={false}
                />
              )}
              {merchant.processor !== null && <p class="hint">Replaces the current processor from the next charge.</p>}
            </GuardedForm>
            <ApiCall visit={visit} question={connectQuestion(merchant, chosen, kind)} />
          </div>
        )}
      </>
    ),
  });
}

/** The request as an API call: each credential is a variable. */
function connectQuestion({ merchant_id }: MerchantResource, processor: string, { credentials }: Kind): ApiQuestion {
  const required = credentials.filter((credential) => credential.required);
  const variables = required.map(({ name }) => [name, new ShellVariable(name.toUpperCase())]);
  return {
    method: 'POST',
    path: `/v1/merchants/${merchant_id}/processor`,
    body: { processor, ...(variables.length > 0 && { credentials: Object.fromEntries(variables) }) },
  };
}

async function connectProcessor(visit: Visit<'id'>, { processor = '', ...fields }: FormFields): Promise<Taken> {
  const names = Object.hasOwn(KINDS, processor) ? (KINDS[processor]?.credentials ?? []) : [];
  const given = names.flatMap(({ name }) => (fields[name]?.trim() ? [[name, fields[name].trim()] as const] : []));
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
    // The user enters the credentials again, because no page ever contains them.
    again: ({ error }) => processorView(visit, processor, { values: {}, error }),
  });
}
