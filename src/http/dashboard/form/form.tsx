/**
 * A form that makes a change. It carries the CSRF token, and a double click submits it only once. A role that does not
 * cover it sees its fields disabled, and no buttons.
 */
import type { ComponentChildren } from 'preact';
import { ATTEMPT_FIELD } from '../page/attempts.ts';
import type { Visit } from '../page/visit.ts';
import { FORM_TOKEN_FIELD } from '../sign-in/form-token.ts';
import { signInPage } from '../sign-in/next-page.ts';
import { maySend, ReadOnlyFields } from './roles.tsx';
import { formWords } from './words/index.ts';

interface FormProps {
  visit: Visit;
  /** For parts of the page that follow the entries, such as a preview. */
  id?: string;
  /** Within the mode. */
  action: string;
  /** The action, with its amount or name: "Refund $10.00". */
  submit: string;
  tone?: 'first' | 'danger' | 'plain';
  /**
   * Carries the visit's attempt, so that the form is carried out only once. Pages that create objects use `attemptPage`,
   * so that this also holds after going back.
   */
  isOnce?: boolean;
  /** The form has a {@link FileField}. */
  takesFile?: true;
  cancel?: string;
  /** Other buttons, after the submit button, which Enter presses. */
  instead?: ComponentChildren;
  children?: ComponentChildren;
}

/** The forms of plain and dangerous buttons are left out for roles that do not cover them. */
export function Form(props: FormProps) {
  const { visit, action, tone = 'first', children } = props;
  if (maySend(visit, action)) return <OpenForm {...props} />;
  return tone === 'first' ? <ReadOnlyFields action={action}>{children}</ReadOnlyFields> : null;
}

function OpenForm({
  visit,
  id,
  action,
  submit,
  tone = 'first',
  isOnce = false,
  takesFile,
  cancel,
  instead,
  children,
}: FormProps) {
  return (
    <form
      class="form"
      id={id}
      method="post"
      action={visit.base + action}
      enctype={takesFile && 'multipart/form-data'}
      data-once
    >
      <input type="hidden" name={FORM_TOKEN_FIELD} value={visit.csrf} />
      {isOnce && <input type="hidden" name={ATTEMPT_FIELD} value={visit.attempt} />}
      {children}
      <div class="actions">
        <button type="submit" class={tone}>
          {submit}
        </button>
        {instead}
        {cancel !== undefined && (
          <a class="button" href={visit.base + cancel}>
            {formWords().cancel}
          </a>
        )}
      </div>
    </form>
  );
}

interface GuardedFormProps extends FormProps {
  /** `live` for a `liveGuardedAction`, `both` for a `guardedAction`. */
  modes?: 'live' | 'both';
  /** The page after signing in. Default: this one. */
  signInTo?: string;
}

/** A form whose action requires a recent sign-in. If the last one is too old, a link to sign in again instead. */
export function GuardedForm({ modes = 'live', signInTo, ...form }: GuardedFormProps) {
  const { visit } = form;
  const mustSignIn = modes === 'live' ? mustSignInForLive(visit) : !visit.user.isRecent;
  if (!mustSignIn || !maySend(visit, form.action)) return <Form {...form} />;
  return <SignInAgain visit={signInTo === undefined ? visit : { path: signInTo }} />;
}

/** Whether a form for `liveGuardedAction` requires signing in again. */
export const mustSignInForLive = ({ mode, user }: Visit) => mode === 'live' && !user.isRecent;

/** Instead of a form. */
export function SignInAgain({ visit: { path } }: { visit: Pick<Visit, 'path'> }) {
  const w = formWords();
  return (
    <p>
      {w.mustSignIn}{' '}
      <a class="button" href={signInPage(path, true)}>
        {w.signInAgain}
      </a>
    </p>
  );
}
