/** The user's own sign-in: passkeys, password, authenticator app, recovery codes and sessions. */

import {
  MAX_PASSKEY_NAME_LENGTH,
  MAX_PASSKEYS,
  type OwnCredentials,
  removeOwnPasskey,
  renewRecoveryCodes,
} from '../../../accounts/users/own-credentials.ts';
import type { Passkey } from '../../../db/users/passkeys.ts';
import type { ListedSession } from '../../../db/users/user-sessions.ts';
import { Form, GuardedForm, SignInAgain } from '../form/form.tsx';
import { DashboardFault } from '../page/faults.ts';
import { SignOut } from '../page/layout.tsx';
import type { AddPages, FormFields, Taken, View } from '../page/page-routes.ts';
import { Block, Notice, noticeOf, PageHead, Time } from '../page/parts.tsx';
import { Table } from '../page/table.tsx';
import type { Visit } from '../page/visit.ts';
import { FORM_TOKEN_FIELD } from '../sign-in/form-token.ts';
import { OWN_PASSKEY } from '../sign-in/own-passkey-routes.ts';
import { PasskeyButton, Scripts } from '../sign-in/views.tsx';
import { NEW_AUTHENTICATOR } from './authenticator.tsx';
import { LanguageChoice } from './language.tsx';
import { HERE, type OwnDeps, ownOf, recoveryCodesView } from './parts.tsx';
import { NEW_PASSWORD } from './password.tsx';

export const yourSignInPages =
  (deps: OwnDeps): AddPages =>
  ({ page, guardedAction }) => {
    page(HERE, (visit) => showSignIn(deps, visit, null));
    page(`${HERE}/remove-passkey`, (visit) => askToRemove(deps, visit));
    guardedAction(`${HERE}/remove-passkey`, (visit, fields) => removePasskey(deps, visit, fields));
    guardedAction(`${HERE}/recovery-codes`, (visit) => makeCodes(deps, visit));
  };

const NOTICES = {
  added: 'Passkey created',
  removed: 'Passkey removed. You are signed out everywhere else',
  password: 'Password changed. You are signed out everywhere else',
  authenticator: 'Authenticator app changed. You are signed out everywhere else',
};

async function showSignIn(deps: OwnDeps, visit: Visit, problem: string | null): Promise<View> {
  const own = await ownOf(deps, visit);
  const notice = noticeOf(visit, NOTICES);
  return {
    title: 'Your sign-in',
    section: null,
    ...(problem !== null && { status: 422 }),
    body: (
      <>
        <PageHead title="Your sign-in" lead={own.user.email} />
        {problem !== null && <Notice tone="bad" title={problem} />}
        {problem === null && notice !== null && <Notice tone="good" title={notice} />}
        {!visit.user.isRecent && <SignInAgain visit={visit} />}
        <Passkeys visit={visit} own={own} />
        <Password visit={visit} own={own} canHaveOne={deps.vault !== null} />
        <RecoveryCodes visit={visit} own={own} />
        <Sessions visit={visit} sessions={own.sessions} />
        <LanguageChoice visit={visit} />
        <Scripts />
      </>
    ),
  };
}

function Passkeys({ visit, own: { passkeys } }: { visit: Visit; own: OwnCredentials }) {
  const { user, base, csrf } = visit;
  const remove = (id: string) => `${base}${HERE}/remove-passkey?${new URLSearchParams({ passkey: id })}`;
  return (
    <Block title="Passkeys">
      {passkeys.length === 0 ? (
        <p class="quiet">None yet. A passkey is the safest way to sign in because it can’t be phished.</p>
      ) : (
        <Table<Passkey>
          label="Your passkeys, oldest first"
          rows={passkeys}
          columns={[
            { head: 'Name', cell: ({ name }) => <span>{name}</span> },
            { head: 'Created', cell: ({ createdAt }) => <Time at={createdAt.toISOString()} /> },
            { head: 'Last used', cell: ({ usedAt }) => <LastUsed at={usedAt} /> },
            {
              head: 'Actions',
              cell: ({ id, name }) => (
                <a href={remove(id)} aria-label={`Remove ${name}`}>
                  Remove
                </a>
              ),
            },
          ]}
        />
      )}
      {user.isRecent && passkeys.length < MAX_PASSKEYS && (
        <PasskeyButton
          action={OWN_PASSKEY}
          kind="new"
          fields={{ [FORM_TOKEN_FIELD]: csrf, next: `${base}${HERE}?notice=added` }}
          nameFrom="passkey-name"
          field={<PasskeyName />}
        >
          Create passkey
        </PasskeyButton>
      )}
    </Block>
  );
}

const PasskeyName = () => (
  <div class="field passkey-name">
    <label for="passkey-name">Name of the new passkey</label>
    <input id="passkey-name" maxlength={MAX_PASSKEY_NAME_LENGTH} autocomplete="off" aria-describedby="passkey-hint" />
    <p class="hint" id="passkey-hint">
      The device that stores it, such as “Work laptop”.
    </p>
  </div>
);

const LastUsed = ({ at }: { at: Date | null }) =>
  at === null ? <span class="quiet">Never</span> : <Time at={at.toISOString()} />;

/** Password and authenticator app are always set up together. */
function Password({
  visit: { base, user },
  own,
  canHaveOne,
}: {
  visit: Visit;
  own: OwnCredentials;
  canHaveOne: boolean;
}) {
  const { hasPassword } = own.user;
  if (!hasPassword && !canHaveOne) return null;
  return (
    <Block title="Password and authenticator app">
      <p class={hasPassword ? undefined : 'quiet'}>
        {hasPassword
          ? 'You need both to sign in. If you lose the app, sign in with a recovery code and set up a new app here.'
          : 'None yet. Set them up as a second way to sign in when you don’t have your passkey.'}
      </p>
      {user.isRecent && (
        <p class="actions">
          {hasPassword && (
            <a class="button" href={base + NEW_PASSWORD}>
              Change password
            </a>
          )}
          <a class="button" href={base + NEW_AUTHENTICATOR}>
            {hasPassword ? 'Change authenticator app' : 'Set up password and authenticator app'}
          </a>
        </p>
      )}
    </Block>
  );
}

function RecoveryCodes({ visit, own: { user, recoveryCodes } }: { visit: Visit; own: OwnCredentials }) {
  if (!user.hasPassword) return null;
  return (
    <Block title="Recovery codes">
      <p>
        {recoveryCodes} left. Each replaces a code from your authenticator app once. Creating new codes invalidates the
        old ones.
      </p>
      {visit.user.isRecent && (
        <Form visit={visit} action={`${HERE}/recovery-codes`} submit="Create new recovery codes" tone="plain" />
      )}
    </Block>
  );
}

function Sessions({ visit, sessions }: { visit: Visit; sessions: readonly ListedSession[] }) {
  return (
    <Block title="Where you are signed in">
      <Table
        label="Your sessions, newest first"
        rows={sessions}
        columns={[
          { head: 'IP address', cell: ({ source }) => <span>{source ?? 'Unknown'}</span> },
          { head: 'Signed in', cell: ({ createdAt }) => <Time at={createdAt.toISOString()} /> },
          { head: 'Last active', cell: ({ lastActive }) => <Time at={lastActive.toISOString()} /> },
          {
            head: 'Browser',
            cell: ({ id }) => <span>{id === visit.user.sessionId ? 'This browser' : 'Another browser'}</span>,
          },
        ]}
      />
      <SignOut csrf={visit.csrf} />
    </Block>
  );
}

async function askToRemove(deps: OwnDeps, visit: Visit): Promise<View> {
  const { passkeys } = await ownOf(deps, visit);
  const passkey = passkeys.find(({ id }) => id === visit.query.passkey);
  if (passkey === undefined) throw new DashboardFault('not_found');
  const title = `Remove ${passkey.name}?`;
  return {
    title,
    section: null,
    body: (
      <>
        <div class="head">
          <h1>{title}</h1>
        </div>
        <p>
          You can no longer sign in with it, and you are signed out in all other browsers. Your device keeps listing the
          passkey until you delete it there.
        </p>
        <GuardedForm
          visit={visit}
          modes="both"
          action={`${HERE}/remove-passkey`}
          submit={`Remove ${passkey.name}`}
          tone="danger"
          cancel={HERE}
        >
          <input type="hidden" name="passkey" value={passkey.id} />
        </GuardedForm>
      </>
    ),
  };
}

async function removePasskey(deps: OwnDeps, visit: Visit, { passkey = '' }: FormFields): Promise<Taken> {
  await ownOf(deps, visit);
  const result = await removeOwnPasskey(deps.database, visit.actor, visit.user, passkey);
  if (result.kind === 'missing') throw new DashboardFault('not_found');
  if (result.kind === 'removed') return { to: `${HERE}?notice=removed`, signedIn: result.signedIn };
  return showSignIn(deps, visit, 'This is your only way to sign in. Create another passkey first.');
}

async function makeCodes(deps: OwnDeps, visit: Visit): Promise<Taken> {
  await ownOf(deps, visit);
  const codes = await renewRecoveryCodes(deps.database, visit.actor, visit.user);
  if (codes === null) throw new DashboardFault('not_found');
  return recoveryCodesView(visit, codes, 'Earlier ones no longer work.');
}
