/** Shared parts of the pages for the user's own sign-in. */
import type { ComponentChildren } from 'preact';
import type { NewAuthenticatorDeps } from '../../../accounts/users/new-authenticator.ts';
import { type OwnCredentials, readOwnCredentials } from '../../../accounts/users/own-credentials.ts';
import { TooBusy } from '../../../accounts/users/password.ts';
import { DashboardFault } from '../page/faults.ts';
import type { View } from '../page/page-routes.ts';
import type { Visit } from '../page/visit.ts';
import { CodeList } from '../sign-in/fields.tsx';
import { Scripts } from '../sign-in/views.tsx';
import { yourSignInWords } from './words/index.ts';

export type OwnDeps = NewAuthenticatorDeps;

export const HERE = '/your-sign-in';

/** @throws DashboardFault for the demo, which has no sign-in */
export async function ownOf({ database }: OwnDeps, { user: { isDemo, userId } }: Visit): Promise<OwnCredentials> {
  const own = isDemo ? null : await readOwnCredentials(database, userId);
  if (own === null) throw new DashboardFault('not_found');
  return own;
}

/** @throws DashboardFault */
export function tooBusy(error: unknown): never {
  throw error instanceof TooBusy ? new DashboardFault('too_many') : error;
}

/** A page below it. @param isWrong whether it shows the errors of a submitted form */
export function ownView(title: string, children: ComponentChildren, isWrong = false): View {
  return {
    title,
    section: null,
    ...(isWrong && { status: 422 }),
    body: (
      <>
        <div class="head">
          <h1>{title}</h1>
        </div>
        <div class="own">{children}</div>
        <Scripts />
      </>
    ),
  };
}

/** @param about earlier codes */
export function recoveryCodesView({ base }: Visit, codes: readonly string[], about = ''): View {
  const w = yourSignInWords().codes;
  return ownView(
    w.save,
    <>
      <p>
        {w.about} {about}
      </p>
      <CodeList codes={codes} />
      <p>
        <a class="button first" href={base + HERE}>
          {w.saved}
        </a>
      </p>
    </>,
  );
}
