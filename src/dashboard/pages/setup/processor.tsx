/** Connecting a merchant's processor. What is entered goes to the processor and into the vault, and is never shown again. */
import type { MerchantResource } from '../../../contract/merchants.ts';
import type { Mode } from '../../../domain/session.ts';
import type { AddPages, FormFields, Taken, View } from '../../page-routes.ts';
import { Form } from '../../views/form.tsx';
import { mustSignInForLive, SignInAgain } from '../../views/sign-in-again.tsx';
import type { Visit } from '../../visit.ts';
import { FormFault, type FormState, SecretField, unsent } from './fields.tsx';
import { FormPage, refusedView, setupView } from './frame.tsx';
import { merchantPath } from './merchants.tsx';

export const processorPages: AddPages = ({ page, liveGuardedAction }) => {
  page('/setup/merchants/:id/processor', (visit) => processorView(visit, visit.query.processor ?? '', unsent()));
  // Whoever finds a browser open could have the money go elsewhere.
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

/** By the names that REST has for them. */
const KINDS: Record<string, Kind> = {
  stripe: {
    title: 'Stripe',
    text: 'Takes cards on the keypad where Stripe has allowed the account MOTO payments and raw card data, and on the pay page.',
    credentials: [
      { name: 'secret_key', label: 'Secret or restricted key', hint: 'sk_… or rk_…', required: true },
      { name: 'publishable_key', label: 'Publishable key', hint: 'pk_…: for the pay page.', required: false },
      {
        name: 'account_id',
        label: 'Connected account',
        hint: 'acct_…: where it is one of your platform.',
        required: false,
      },
    ],
  },
  square: {
    title: 'Square',
    text: 'Takes cards on the pay page, and no cards on the keypad: the line texts the link at once.',
    credentials: [
      { name: 'access_token', label: 'Access token', required: true },
      { name: 'application_id', label: 'Application id', required: true },
      { name: 'location_id', label: 'Location id', required: true },
    ],
  },
  sandbox: { title: 'Sandbox', text: 'Takes the test cards. No money moves.', credentials: [] },
  sandbox_page: {
    title: 'Sandbox, pay page only',
    text: 'Takes the test cards on the pay page, and none on the keypad.',
    credentials: [],
  },
};

const kindsIn = (mode: Mode) =>
  Object.entries(KINDS).filter(([name]) => mode === 'test' || !name.startsWith('sandbox'));

async function processorView(visit: Visit, chosen: string, form: FormState): Promise<View> {
  const merchant = await visit.ask<MerchantResource>({ path: merchantPath(visit) });
  const back = `/setup/merchants/${merchant.merchant_id}`;
  const kind = kindsIn(visit.mode).find(([name]) => name === chosen)?.[1];
  return setupView(visit, {
    tab: 'merchants',
    title: 'Connect a processor',
    ...(form.error !== null && { status: 422 }),
    body: (
      <FormPage title="Connect a processor" lead={merchant.business_name}>
        <nav class="choices" aria-label="Processors">
          {kindsIn(visit.mode).map(([name, { title, text }]) => (
            <a key={name} href={`?processor=${name}`} aria-current={name === chosen ? 'true' : undefined}>
              <strong>{title}</strong>
              <span>{text}</span>
            </a>
          ))}
        </nav>
        <FormFault form={form} />
        {kind !== undefined && mustSignInForLive(visit) && (
          <SignInAgain visit={{ ...visit, path: `${visit.path}?processor=${chosen}` }} what="connecting it" />
        )}
        {kind !== undefined && !mustSignInForLive(visit) && (
          <Form visit={visit} action={`${back}/processor`} submit={`Connect ${kind.title}`} cancel={back} isOnce>
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
            {merchant.processor !== null && (
              <p class="hint">It takes the place of what is connected now, from the next charge on.</p>
            )}
          </Form>
        )}
      </FormPage>
    ),
  });
}

async function connectProcessor(visit: Visit, { processor = '', ...fields }: FormFields): Promise<Taken> {
  const names = Object.hasOwn(KINDS, processor) ? (KINDS[processor]?.credentials ?? []) : [];
  const given = names.flatMap(({ name }) => (fields[name]?.trim() ? [[name, fields[name].trim()] as const] : []));
  const answer = await visit.tryAsk<MerchantResource>({
    method: 'POST',
    path: `${merchantPath(visit)}/processor`,
    body: { processor, credentials: Object.fromEntries(given) },
  });
  if (answer.ok) return { to: `/setup/merchants/${answer.body.merchant_id}?notice=connected` };
  // The credentials are entered once more: no page ever has them in it.
  const view = await processorView(visit, processor, { values: {}, error: answer.error });
  return refusedView(answer, () => view);
}
