/** Replaces a form that requires a recent sign-in: a link to the sign-in page, which leads back here. */

import type { Visit } from '../page/visit.ts';
import { signInPage } from '../sign-in/next-page.ts';

/** Whether a form for `liveGuardedAction` requires signing in again. */
export const mustSignInForLive = ({ mode, user }: Visit) => mode === 'live' && !user.isRecent;

/** @param what the user wants to do: "invite a user" */
export function SignInAgain({ visit: { path }, what }: { visit: Visit; what: string }) {
  return (
    <p>
      To {what}, sign in again.{' '}
      <a class="button" href={signInPage(path, true)}>
        Sign in again
      </a>
    </p>
  );
}
