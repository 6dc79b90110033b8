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
import { totpLabel } from '../../../accounts/users/second-factor.ts';
import { Form, GuardedForm } from '../form/form.tsx';
import { DashboardFault } from '../page/faults.ts';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Notice } from '../page/parts.tsx';
import type { Visit } from '../page/visit.ts';
import { AuthenticatorKey, CodeField, CurrentPasswordField, EmailShown, NewPasswordField } from '../sign-in/fields.tsx';
import { HERE, type OwnDeps, ownOf, ownView, recoveryCodesView, tooBusy } from './parts.tsx';
import { yourSignInWords } from './words/index.ts';

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

function titleOf(isFirst: boolean): string {
  const { app, password } = yourSignInWords();
  return isFirst ? password.title : app.title;
}

type StartProblem = 'wrong' | 'gone';

async function showStart(deps: OwnDeps, visit: Visit, problem: StartProblem | null): Promise<View> {
  const { user } = await ownOf(deps, visit);
  if (deps.vault === null) throw new DashboardFault('not_found');
  const isFirst = !user.hasPassword;
  const w = yourSignInWords().app;
  return ownView(
    titleOf(isFirst),
    <GuardedForm visit={visit} modes="both" action={NEW_AUTHENTICATOR} submit={w.showKey} cancel={HERE}>
      {problem === 'gone' && <TooLate />}
      {isFirst ? (
        <p>{w.first}</p>
      ) : (
        <>
          <p>{w.another}</p>
          <EmailShown email={user.email} />
          <CurrentPasswordField fault={problem === 'wrong' ? problem : undefined} />
        </>
      )}
    </GuardedForm>,
    problem !== null,
  );
}

function TooLate() {
  const w = yourSignInWords().app;
  return (
    <Notice tone="bad" title={w.again}>
      <p>{w.tooLate}</p>
    </Notice>
  );
}

async function start(deps: OwnDeps, visit: Visit, { current = '' }: FormFields): Promise<Taken> {
  const { user } = await ownOf(deps, visit);
  if (deps.vault === null) throw new DashboardFault('not_found');
  const offered = await startNewAuthenticator(deps, visit.actor, visit.user, user, current).catch(tooBusy);
  return offered === null ? showStart(deps, visit, 'wrong') : keyView(visit, offered, {});
}

function keyView(visit: Visit, { token, secret, isFirst }: OfferedAuthenticator, faults: PasswordFaults): View {
  const { email, accountName } = visit.user;
  const w = yourSignInWords().app;
  return ownView(
    titleOf(isFirst),
    <Form visit={visit} action={NEW_AUTHENTICATOR} submit={isFirst ? w.setUpFirst : w.use} cancel={HERE}>
      <p>{isFirst ? w.firstEnds : w.oldEnds}</p>
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
