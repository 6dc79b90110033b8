/** The pages of signing in: the form, the invitation, the recovery codes. They work without scripts, but for passkeys. */
import type { ComponentChildren } from 'preact';
import type { AccountChoice } from '../../db/users/choices.ts';
import type { OpenInvitation, PasswordFaults } from '../../users/accept-invitation.ts';
import { totpLabel } from '../../users/totp.ts';
import { signInScripts } from './assets.ts';
import { AuthenticatorKey, CodeField, CodeList, EmailShown, Field, NewPasswordField } from './fields.tsx';

/** Behind the forms: a passkey's script, and the focus on what is wrong. */
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

/** Hidden where the browser has no passkeys, or no scripts. */
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
  /** Somebody is signed in, and shows once more who they are. */
  again: boolean;
  problem: string | null;
  email: string;
  hasPasskeys: boolean;
  hasPasswords: boolean;
  /** What the operator calls the OpenID provider; null: there is none. */
  provider: string | null;
  /** This page by the name of the machine, where it was opened by an address; else null. */
  byName: string | null;
}

export function SignInForm({ next, again, problem, email, hasPasskeys, hasPasswords, provider, byName }: SignInView) {
  return (
    <Frame title={again ? 'Sign in once more' : 'Sign in'}>
      {again && <p>Some time has passed. Before something changes here, show that it is still you.</p>}
      {problem !== null && (
        <p class="problem" role="alert" id="problem" tabindex={-1} data-focus>
          {problem}
        </p>
      )}
      {byName !== null && (
        <p>
          Better at <a href={byName}>{new URL(byName).host}</a>: passkeys work there, and our links lead there.
        </p>
      )}
      {hasPasskeys && (
        <PasskeyButton action="/dashboard/sign-in/passkey" kind="use" fields={{ next }}>
          Sign in with a passkey
        </PasskeyButton>
      )}
      {provider !== null && (
        <a
          class="button"
          href={`/dashboard/sign-in/oidc?${new URLSearchParams({ next, ...(again && { again: '1' }) })}`}
        >
          Sign in with {provider}
        </a>
      )}
      {hasPasswords && <PasswordForm next={next} email={email} isWrong={problem !== null} />}
      <p class="quiet small">
        No way to sign in any more? An owner of the account, or the operator, can send you a new link.
      </p>
    </Frame>
  );
}

function PasswordForm({ next, email, isWrong }: { next: string; email: string; isWrong: boolean }) {
  const described = isWrong ? { 'aria-describedby': 'problem' } : {};
  return (
    <form class="form" method="post" action="/dashboard/sign-in" data-once>
      <input type="hidden" name="next" value={next} />
      <Field label="E-mail address" name="email">
        <input id="email" name="email" type="email" autocomplete="username" required value={email} {...described} />
      </Field>
      <Field label="Password" name="password">
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
      <Field label="Code" name="code" hint="Six digits from your authenticator app, or one of your recovery codes.">
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
        Sign in
      </button>
    </form>
  );
}

export interface InvitationView {
  invitation: OpenInvitation;
  token: string;
  /** In base 32; null: passwords cannot be used here. */
  secret: string | null;
  hasPasskeys: boolean;
  faults: PasswordFaults;
}

export function InvitationPage({ invitation, token, secret, hasPasskeys, faults }: InvitationView) {
  const { user, accountName } = invitation;
  const action = `/dashboard/invitation/${token}`;
  return (
    <Frame title={`Join ${accountName}`}>
      <p>
        You were invited as <strong>{user.email}</strong>, with the role <strong>{user.role}</strong>. Choose how you
        will sign in.
      </p>
      {hasPasskeys && (
        <PasskeyButton action={`${action}/passkey`} kind="new">
          Make a passkey
        </PasskeyButton>
      )}
      {hasPasskeys && secret !== null && (
        <p class="or" aria-hidden="true">
          or
        </p>
      )}
      {secret !== null && (
        <NewPassword action={action} secret={secret} email={user.email} accountName={accountName} faults={faults} />
      )}
      {!hasPasskeys && secret === null && (
        <p class="problem">
          Neither passkeys nor passwords can be used at this address: the operator sets RINGKEY_PUBLIC_URL and
          RINGKEY_ENCRYPTION_KEYS.
        </p>
      )}
    </Frame>
  );
}

function NewPassword({
  action,
  secret,
  email,
  accountName,
  faults,
}: {
  action: string;
  secret: string;
  email: string;
  accountName: string;
  faults: PasswordFaults;
}) {
  return (
    <form class="form" method="post" action={action} data-once>
      <h2>Password and authenticator app</h2>
      <EmailShown email={email} />
      <NewPasswordField fault={faults.password} />
      <AuthenticatorKey secret={secret} label={totpLabel(email, accountName)} />
      <CodeField fault={faults.code} />
      <button type="submit" class="first">
        Set up and sign in
      </button>
    </form>
  );
}

export function RecoveryCodes({ codes, next }: { codes: readonly string[]; next: string }) {
  return (
    <Frame title="Keep your recovery codes">
      <p>
        Each of them replaces the code of your authenticator app once, for the day on which you have lost it. They are
        shown this one time: write them down, or print the page.
      </p>
      <CodeList codes={codes} />
      <p>
        <a class="button first" href={next}>
          I have kept them: continue
        </a>
      </p>
    </Frame>
  );
}

export function AccountChoices({ choices, action }: { choices: readonly AccountChoice[]; action: string }) {
  return (
    <Frame title="Choose an account">
      {choices.map(({ userId, accountName, role }) => (
        <form key={userId} method="post" action={action}>
          <input type="hidden" name="user" value={userId} />
          <button type="submit">
            {accountName} ({role})
          </button>
        </form>
      ))}
    </Frame>
  );
}

/** Of what cannot be done, in words. */
export function SignInNote({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <Frame title={title}>
      {children}
      <p>
        <a href="/dashboard/sign-in">To the sign-in page</a>
      </p>
    </Frame>
  );
}
