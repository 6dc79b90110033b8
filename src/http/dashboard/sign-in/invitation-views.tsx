/** The pages of a one-time link: setting up sign-in, and the recovery codes. */
import type { OpenInvitation, PasswordFaults } from '../../../accounts/users/accept-invitation.ts';
import { totpLabel } from '../../../accounts/users/second-factor.ts';
import { names } from '../words/names/index.ts';
import { AuthenticatorKey, CodeField, CodeList, EmailShown, NewPasswordField } from './fields.tsx';
import { Frame, PasskeyButton } from './views.tsx';
import { signInWords } from './words/index.ts';

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
  const w = signInWords();
  return (
    <Frame title={w.join(accountName)}>
      <p>{w.invited(<strong>{user.email}</strong>, <strong>{names().role[user.role]}</strong>)}</p>
      {hasPasskeys && (
        <PasskeyButton action={`${action}/passkey`} kind="new">
          {w.createPasskey}
        </PasskeyButton>
      )}
      {hasPasskeys && secret !== null && (
        <p class="or" aria-hidden="true">
          {w.or}
        </p>
      )}
      {secret !== null && (
        <NewPassword action={action} secret={secret} email={user.email} accountName={accountName} faults={faults} />
      )}
      {!hasPasskeys && secret === null && <p class="problem">{w.noWay}</p>}
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
  const w = signInWords();
  return (
    <form class="form" method="post" action={action} data-once>
      <h2>{w.passwordAndApp}</h2>
      <EmailShown email={email} />
      <NewPasswordField fault={faults.password} />
      <AuthenticatorKey secret={secret} label={totpLabel(email, accountName)} />
      <CodeField fault={faults.code} />
      <button type="submit" class="first">
        {w.setUp}
      </button>
    </form>
  );
}

export function RecoveryCodes({ codes, next }: { codes: readonly string[]; next: string }) {
  const w = signInWords();
  return (
    <Frame title={w.saveCodes}>
      <p>{w.aboutCodes}</p>
      <CodeList codes={codes} />
      <p>
        <a class="button first" href={next}>
          {w.codesSaved}
        </a>
      </p>
    </Frame>
  );
}
