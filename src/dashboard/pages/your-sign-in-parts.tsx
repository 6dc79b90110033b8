/** What the pages of one's own sign-in share. */
import type { ComponentChildren } from 'preact';
import { type OwnCredentials, readOwnCredentials } from '../../users/own-credentials.ts';
import type { NewAuthenticatorDeps } from '../../users/new-authenticator.ts';
import { TooBusy } from '../../users/password.ts';
import { DashboardFault } from '../faults.ts';
import type { View } from '../page-routes.ts';
import { CodeList } from '../sign-in/fields.tsx';
import { Scripts } from '../sign-in/views.tsx';
import type { Visit } from '../visit.ts';

export type OwnDeps = NewAuthenticatorDeps;

export const HERE = '/your-sign-in';

/** @throws DashboardFault for the demo: nobody signs in to it */
export async function ownOf({ database }: OwnDeps, { user: { isDemo, userId } }: Visit): Promise<OwnCredentials> {
  const own = isDemo ? null : await readOwnCredentials(database, userId);
  if (own === null) throw new DashboardFault('not_found');
  return own;
}

/** @throws DashboardFault */
export function tooBusy(error: unknown): never {
  throw error instanceof TooBusy ? new DashboardFault('too_many') : error;
}

/** A page behind it. @param isWrong it is a form that was sent, and shows what is wrong */
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

/** @param about what becomes of those from before */
export function recoveryCodesView({ base }: Visit, codes: readonly string[], about = ''): View {
  return ownView(
    'Keep your recovery codes',
    <>
      <p>
        Each replaces the code of your authenticator app once, for the day on which you have lost it. They are shown
        this one time: write them down, or print the page. {about}
      </p>
      <CodeList codes={codes} />
      <p>
        <a class="button first" href={base + HERE}>
          I have kept them
        </a>
      </p>
    </>,
  );
}
