/** In place of a form for which the user must have signed in a short time ago: the way to the sign-in page, and back here. */
import { signInPage } from '../sign-in/next-page.ts';
import type { Visit } from '../visit.ts';

/** Before what goes by `liveGuardedAction`. */
export const mustSignInForLive = ({ mode, user }: Visit) => mode === 'live' && !user.isRecent;

/** @param what comes next: "inviting somebody" */
export function SignInAgain({ visit: { path }, what }: { visit: Visit; what: string }) {
  return (
    <p>
      Before {what}, show that it is still you.{' '}
      <a class="button" href={signInPage(path, true)}>
        Sign in once more
      </a>
    </p>
  );
}
