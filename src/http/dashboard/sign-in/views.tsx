/** The sign-in pages: the form, the choice of account, refusals. Everything except passkeys works without scripts. */
import type { ComponentChildren } from 'preact';
import type { AccountChoice } from '../../../db/users/sign-in-attempts.ts';
import { signInScripts } from '../assets.ts';
import { names } from '../words/names/index.ts';
import { Field } from './fields.tsx';
import { signInWords } from './words/index.ts';

/** After the forms: the script for passkeys, which also focuses the first error. */
export function Scripts() {
  return (
    <>
      {signInScripts().map(({ path }) => (
        <script key={path} type="module" src={path} />
      ))}
    </>
  );
}

export function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="sign-in">
      <h1 tabindex={-1}>{title}</h1>
      {children}
      <Scripts />
    </div>
  );
}

/** Hidden if the browser does not support passkeys or scripts. */
export function PasskeyButton({
  action,
  kind,
  fields = {},
  nameFrom,
  field,
  children,
}: {
  /** The input whose value is sent as `name`. */
  nameFrom?: string;
  /** Above the button, and hidden with it. */
  field?: ComponentChildren;
  action: string;
  kind: 'use' | 'new';
  fields?: Record<string, string>;
  children: ComponentChildren;
}) {
  return (
    <div data-needs-passkeys hidden>
      {field}
      <button
        class="first"
        type="button"
        data-passkey={kind}
        data-action={action}
        data-fields={JSON.stringify(fields)}
        data-name-from={nameFrom}
        aria-describedby="passkey-problem"
      >
        {children}
      </button>
      <p class="fault" id="passkey-problem" role="alert" hidden />
    </div>
  );
}

export interface SignInView {
  next: string;
  /** A signed-in user signs in again to confirm their identity. */
  again: boolean;
  problem: string | null;
  email: string;
  hasPasskeys: boolean;
  hasPasswords: boolean;
  /** The operator's name for the OpenID provider, or null. */
  provider: string | null;
  /** This page at `localhost`, if it was opened at an IP address; otherwise null. */
  byName: string | null;
}

export function SignInForm({ next, again, problem, email, hasPasskeys, hasPasswords, provider, byName }: SignInView) {
  const w = signInWords();
  return (
    <Frame title={again ? w.signInAgain : w.signIn}>
      {again && <p>{w.confirm}</p>}
      {problem !== null && (
        <p class="problem" role="alert" id="problem" tabindex={-1} data-focus>
          {problem}
        </p>
      )}
      {byName !== null && <p>{w.useName(<a href={byName}>{new URL(byName).host}</a>)}</p>}
      {hasPasskeys && (
        <PasskeyButton action="/dashboard/sign-in/passkey" kind="use" fields={{ next }}>
          {w.withPasskey}
        </PasskeyButton>
      )}
      {provider !== null && (
        <a
          class="button"
          href={`/dashboard/sign-in/oidc?${new URLSearchParams({ next, ...(again && { again: '1' }) })}`}
        >
          {w.withProvider(provider)}
        </a>
      )}
      {hasPasswords && <PasswordForm next={next} email={email} isWrong={problem !== null} />}
      <p class="quiet small">{w.noAccess}</p>
    </Frame>
  );
}

function PasswordForm({ next, email, isWrong }: { next: string; email: string; isWrong: boolean }) {
  const described = isWrong ? { 'aria-describedby': 'problem' } : {};
  const w = signInWords();
  return (
    <form class="form" method="post" action="/dashboard/sign-in" data-once>
      <input type="hidden" name="next" value={next} />
      <Field label={w.email} name="email">
        <input id="email" name="email" type="email" autocomplete="username" required value={email} {...described} />
      </Field>
      <Field label={w.password} name="password">
        <input
          id="password"
          name="password"
          type="password"
          autocomplete="current-password"
          required
          maxlength={256}
          {...described}
        />
      </Field>
      <Field label={w.code} name="code" hint={w.anyCodeHint}>
        <input
          id="code"
          name="code"
          autocomplete="one-time-code"
          autocapitalize="none"
          spellcheck={false}
          required
          maxlength={40}
          aria-describedby={isWrong ? 'code-hint problem' : 'code-hint'}
        />
      </Field>
      <button class="first" type="submit">
        {w.signIn}
      </button>
    </form>
  );
}

export function AccountChoices({ choices, action }: { choices: readonly AccountChoice[]; action: string }) {
  const w = signInWords();
  return (
    <Frame title={w.chooseAccount}>
      {choices.map(({ userId, accountName, role }) => (
        <form key={userId} method="post" action={action}>
          <input type="hidden" name="user" value={userId} />
          <button type="submit">{w.accountIn(accountName, names().role[role])}</button>
        </form>
      ))}
    </Frame>
  );
}

/** A refusal as a page. */
export function SignInNote({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Frame title={title}>
      {children}
      <p>
        <a href="/dashboard/sign-in">{signInWords().goToSignIn}</a>
      </p>
    </Frame>
  );
}
