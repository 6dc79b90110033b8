/** The pages of a one-time link: setting up sign-in, and the recovery codes. */
import type { OpenInvitation, PasswordFaults } from '../../../accounts/users/accept-invitation.ts';
import { totpLabel } from '../../../accounts/users/second-factor.ts';
import { AuthenticatorKey, CodeField, CodeList, EmailShown, NewPasswordField } from './fields.tsx';
import { Frame, PasskeyButton } from './views.tsx';

interface InvitationView {
  invitation: OpenInvitation;
  token: string;
  /** In base32. Null if passwords cannot be used. */
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
        You were invited as <strong>{user.email}</strong> with the role <strong>{user.role}</strong>. Choose how to sign
        in.
      </p>
      {hasPasskeys && (
        <PasskeyButton action={`${action}/passkey`} kind="new">
          Create passkey
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
          Passkeys and passwords are not available at this address. Ask the operator to set RINGKEY_PUBLIC_URL and
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
    <Frame title="Save your recovery codes">
      <p>
        If you lose your authenticator app, sign in with one of these codes instead. Each works once. You won’t be able
        to see them again, so write them down or print this page.
      </p>
      <CodeList codes={codes} />
      <p>
        <a class="button first" href={next}>
          I have saved them. Continue
        </a>
      </p>
    </Frame>
  );
}
