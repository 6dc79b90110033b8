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
import { yourSignInWords } from './words/index.ts';

export const yourSignInPages =
  (deps: OwnDeps): AddPages =>
  ({ page, guardedAction }) => {
    page(HERE, (visit) => showSignIn(deps, visit, null));
    page(`${HERE}/remove-passkey`, (visit) => askToRemove(deps, visit));
    guardedAction(`${HERE}/remove-passkey`, (visit, fields) => removePasskey(deps, visit, fields));
    guardedAction(`${HERE}/recovery-codes`, (visit) => makeCodes(deps, visit));
  };

async function showSignIn(deps: OwnDeps, visit: Visit, problem: string | null): Promise<View> {
  const own = await ownOf(deps, visit);
  const w = yourSignInWords();
  const notice = noticeOf(visit, w.notices);
  return {
    title: w.title,
    section: null,
    ...(problem !== null && { status: 422 }),
    body: (
      <>
        <PageHead title={w.title} lead={own.user.email} />
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
  const w = yourSignInWords().passkeys;
  const remove = (id: string) => `${base}${HERE}/remove-passkey?${new URLSearchParams({ passkey: id })}`;
  return (
    <Block title={w.title}>
      {passkeys.length === 0 ? (
        <p class="quiet">{w.none}</p>
      ) : (
        <Table<Passkey>
          label={w.label}
          rows={passkeys}
          columns={[
            { head: w.heads.name, cell: ({ name }) => <span>{name}</span> },
            { head: w.heads.created, cell: ({ createdAt }) => <Time at={createdAt.toISOString()} /> },
            { head: w.heads.used, cell: ({ usedAt }) => <LastUsed at={usedAt} /> },
            {
              head: w.heads.actions,
              cell: ({ id, name }) => (
                <a href={remove(id)} aria-label={w.removeIt(name)}>
                  {w.remove}
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
          {w.create}
        </PasskeyButton>
      )}
    </Block>
  );
}

function PasskeyName() {
  const w = yourSignInWords().passkeys;
  return (
    <div class="field passkey-name">
      <label for="passkey-name">{w.name}</label>
      <input id="passkey-name" maxlength={MAX_PASSKEY_NAME_LENGTH} autocomplete="off" aria-describedby="passkey-hint" />
      <p class="hint" id="passkey-hint">
        {w.nameHint}
      </p>
    </div>
  );
}

const LastUsed = ({ at }: { at: Date | null }) =>
  at === null ? <span class="quiet">{yourSignInWords().passkeys.never}</span> : <Time at={at.toISOString()} />;

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
  const w = yourSignInWords().password;
  return (
    <Block title={w.title}>
      <p class={hasPassword ? undefined : 'quiet'}>{hasPassword ? w.about : w.none}</p>
      {user.isRecent && (
        <p class="actions">
          {hasPassword && (
            <a class="button" href={base + NEW_PASSWORD}>
              {w.change}
            </a>
          )}
          <a class="button" href={base + NEW_AUTHENTICATOR}>
            {hasPassword ? w.changeApp : w.setUp}
          </a>
        </p>
      )}
    </Block>
  );
}

function RecoveryCodes({ visit, own: { user, recoveryCodes } }: { visit: Visit; own: OwnCredentials }) {
  if (!user.hasPassword) return null;
  const w = yourSignInWords().codes;
  return (
    <Block title={w.title}>
      <p>{w.left(recoveryCodes)}</p>
      {visit.user.isRecent && <Form visit={visit} action={`${HERE}/recovery-codes`} submit={w.create} tone="plain" />}
    </Block>
  );
}

function Sessions({ visit, sessions }: { visit: Visit; sessions: readonly ListedSession[] }) {
  const w = yourSignInWords().sessions;
  return (
    <Block title={w.title}>
      <Table
        label={w.label}
        rows={sessions}
        columns={[
          { head: w.heads.source, cell: ({ source }) => <span>{source ?? w.unknown}</span> },
          { head: w.heads.signedIn, cell: ({ createdAt }) => <Time at={createdAt.toISOString()} /> },
          { head: w.heads.active, cell: ({ lastActive }) => <Time at={lastActive.toISOString()} /> },
          {
            head: w.heads.browser,
            cell: ({ id }) => <span>{id === visit.user.sessionId ? w.thisBrowser : w.otherBrowser}</span>,
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
  const w = yourSignInWords().passkeys;
  const title = w.sure(passkey.name);
  return {
    title,
    section: null,
    body: (
      <>
        <div class="head">
          <h1>{title}</h1>
        </div>
        <p>{w.removing}</p>
        <GuardedForm
          visit={visit}
          modes="both"
          action={`${HERE}/remove-passkey`}
          submit={w.removeIt(passkey.name)}
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
  return showSignIn(deps, visit, yourSignInWords().passkeys.last);
}

async function makeCodes(deps: OwnDeps, visit: Visit): Promise<Taken> {
  await ownOf(deps, visit);
  const codes = await renewRecoveryCodes(deps.database, visit.actor, visit.user);
  if (codes === null) throw new DashboardFault('not_found');
  return recoveryCodesView(visit, codes, yourSignInWords().codes.earlier);
}
