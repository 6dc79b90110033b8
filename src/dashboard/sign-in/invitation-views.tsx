/** The pages behind a one-time link: how to sign in is set up, and the recovery codes are shown. */
import type { OpenInvitation, PasswordFaults } from '../../users/accept-invitation.ts';
import { totpLabel } from '../../users/totp.ts';
import { AuthenticatorKey, CodeField, CodeList, EmailShown, NewPasswordField } from './fields.tsx';
import { Frame, PasskeyButton } from './views.tsx';

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
