/**
 * A new authenticator app: the current password, then the key and a code from the app. Users without a password set up
 * both.
 */
import type { PasswordFaults } from '../../../accounts/users/accept-invitation.ts';
import {
  confirmNewAuthenticator,
  type OfferedAuthenticator,
  startNewAuthenticator,
} from '../../../accounts/users/new-authenticator.ts';
import { WRONG_CURRENT } from '../../../accounts/users/own-password.ts';
import { totpLabel } from '../../../accounts/users/second-factor.ts';
import { Form, GuardedForm } from '../form/form.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Notice } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { AuthenticatorKey, CodeField, CurrentPasswordField, EmailShown, NewPasswordField } from '../sign-in/fields.tsx';
import { HERE, type OwnDeps, ownOf, ownView, recoveryCodesView, tooBusy } from './parts.tsx';

export const NEW_AUTHENTICATOR = `${HERE}/new-authenticator`;

export const yourAuthenticatorPages =
  (deps: OwnDeps): AddPages =>
  ({ page, guardedAction }) => {
    page(NEW_AUTHENTICATOR, (visit) => showStart(deps, visit, null));
    // Both steps share the path of the page, so that signing in again leads back to it.
    guardedAction(NEW_AUTHENTICATOR, (visit, fields) =>
      fields.setup_token === undefined ? start(deps, visit, fields) : confirm(deps, visit, fields.setup_token, fields),
    );
  };

const titleOf = (isFirst: boolean) => (isFirst ? 'Password and authenticator app' : 'New authenticator app');

type StartProblem = 'wrong' | 'gone';

async function showStart(deps: OwnDeps, visit: Visit, problem: StartProblem | null): Promise<View> {
  const { user } = await ownOf(deps, visit);
  if (deps.vault === null) throw new DashboardFault('not_found');
  const isFirst = !user.hasPassword;
  return ownView(
    titleOf(isFirst),
    <GuardedForm visit={visit} modes="both" action={NEW_AUTHENTICATOR} submit="Show the key" cancel={HERE}>
      {problem === 'gone' && <TooLate />}
      {isFirst ? (
        <p>
          A second way to sign in when you don’t have your passkey: a password and codes from an authenticator app on
          your phone.
        </p>
      ) : (
        <>
          <p>Your current app keeps working until you enter a code from the new one.</p>
          <EmailShown email={user.email} />
          <CurrentPasswordField fault={problem === 'wrong' ? WRONG_CURRENT : undefined} />
        </>
      )}
    </GuardedForm>,
    problem !== null,
  );
}

const TooLate = () => (
  <Notice tone="bad" title="Nothing was changed. Start again">
    <p>The key was shown more than ten minutes ago, or in another session.</p>
  </Notice>
);

async function start(deps: OwnDeps, visit: Visit, { current = '' }: FormFields): Promise<Taken> {
  const { user } = await ownOf(deps, visit);
  if (deps.vault === null) throw new DashboardFault('not_found');
  const offered = await startNewAuthenticator(deps, visit.actor, visit.user, user, current).catch(tooBusy);
  return offered === null ? showStart(deps, visit, 'wrong') : keyView(visit, offered, {});
}

function keyView(visit: Visit, { token, secret, isFirst }: OfferedAuthenticator, faults: PasswordFaults): View {
  const { email, accountName } = visit.user;
  return ownView(
    titleOf(isFirst),
    <Form
      visit={visit}
      action={NEW_AUTHENTICATOR}
      submit={isFirst ? 'Set up password and app' : 'Use the new app'}
      cancel={HERE}
    >
      <p>
        {isFirst
          ? 'This signs you out in all other browsers.'
          : 'This signs you out in all other browsers. Codes from the old app then stop working, so delete its entry.'}
      </p>
      <input type="hidden" name="setup_token" value={token} />
      {isFirst && <EmailShown email={email} />}
      {isFirst && <NewPasswordField fault={faults.password} />}
      <AuthenticatorKey secret={secret} label={totpLabel(email, accountName)} />
      <CodeField fault={faults.code} />
    </Form>,
    Object.keys(faults).length > 0,
  );
}

async function confirm(
  deps: OwnDeps,
  visit: Visit,
  token: string,
  { code = '', password = '' }: FormFields,
): Promise<Taken> {
  if (visit.user.isDemo) throw new DashboardFault('not_found');
  const given = { token, code, password };
  const change = await confirmNewAuthenticator(deps, visit.actor, visit.user, given).catch(tooBusy);
  if (change.kind === 'gone') return showStart(deps, visit, 'gone');
  if (change.kind === 'faults') return keyView(visit, change.offered, change.faults);
  const { recoveryCodes, signedIn } = change;
  if (recoveryCodes !== null) return { ...recoveryCodesView(visit, recoveryCodes), signedIn };
  return { to: `${HERE}?notice=authenticator`, signedIn };
}
