/** Errors of connecting a processor, in the user's language and at the field of the credential. */
import type { Mode } from '../../../domain/session.ts';
import type { FormState } from '../form/fields.tsx';
import { processorWords } from './words/processor/index.ts';

type Prefixes = (mode: Mode) => readonly string[];

/** How credentials of each mode begin, as their schemas in `payments/` require. */
export const PREFIXES: Readonly<Record<string, Readonly<Record<string, Prefixes>>>> = {
  stripe: {
    secret_key: (mode) => [`sk_${mode}_`, `rk_${mode}_`],
    publishable_key: (mode) => [`pk_${mode}_`],
    account_id: () => ['acct_'],
  },
  square: { application_id: (mode) => (mode === 'test' ? ['sandbox-sq0id'] : ['sq0id']) },
  checkoutcom: {
    secret_key: (mode) => (mode === 'test' ? ['sk_sbox_'] : ['sk_']),
    public_key: (mode) => (mode === 'test' ? ['pk_sbox_'] : ['pk_']),
    processing_channel_id: () => ['pc_'],
  },
  braintree: { tokenization_key: (mode) => (mode === 'test' ? ['sandbox_'] : ['production_']) },
  hyperswitch: { api_key: (mode) => (mode === 'test' ? ['dev_', 'snd_'] : ['prd_']) },
  adyen: { client_key: (mode) => [`${mode}_`] },
};

interface FailedConnection {
  mode: Mode;
  processor: keyof ReturnType<typeof processorWords>['kinds'];
  /** The submitted credentials, by name. */
  given: Readonly<Record<string, string>>;
  /** As REST returned it. */
  error: FormState['error'];
}

/** REST's own error if the form has no words for it. */
export function connectionError(failed: FailedConnection): FormState['error'] {
  const { processor, error } = failed;
  const [group, name] = error?.param?.split('.') ?? [];
  if (group === 'credentials' && name !== undefined) {
    return { param: name, message: fieldFault(failed, name), isOwn: true };
  }
  const w = processorWords();
  if (error?.param === 'notification_secret') {
    return { param: error.param, message: w.notificationSecretFault, isOwn: true };
  }
  const message = w.connectErrors[error?.code ?? '']?.(w.kinds[processor].title);
  return message === undefined ? error : { message, isOwn: true };
}

function fieldFault({ mode, processor, given }: FailedConnection, name: string): string {
  const w = processorWords();
  const { title, credentials } = w.kinds[processor];
  const label = (credentials as Readonly<Record<string, { label: string }>>)[name]?.label ?? name;
  const value = given[name];
  if (value === undefined) return w.isMissing(label);
  const prefixes = PREFIXES[processor]?.[name]?.(mode) ?? [];
  const isOther = prefixes.length > 0 && !prefixes.some((prefix) => value.startsWith(prefix));
  return isOther ? w.mustBegin(label, prefixes) : w.wrongForm(label, title, mode);
}
