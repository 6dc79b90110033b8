/** Signing in with a passkey: the requests of the page's script. */
import type { FastifyInstance } from 'fastify';
import { askForPasskey, signInWithPasskey } from '../../../accounts/users/passkeys.ts';
import { readCookie } from './cookies.ts';
import { formOf, requireFromOurPage } from './form-token.ts';
import { nextPage } from './next-page.ts';
import {
  countFailure,
  finishSignIn,
  keepAttempt,
  requireFewFailures,
  requireParty,
  requirePrivate,
  sourceOf,
} from './pages.tsx';
import type { SharedDeps } from './ports.ts';
import { signInWords } from './words/index.ts';

export function passkeyRoutes(app: FastifyInstance, deps: SharedDeps): void {
  app.post('/sign-in/passkey', async (request, reply) => {
    requirePrivate(request, deps);
    requireFromOurPage(request);
    await requireFewFailures(request, deps);
    const { options, token } = await askForPasskey(deps.database, requireParty(request, deps));
    keepAttempt(request, reply, deps, token);
    return reply.header('cache-control', 'no-store').send(options);
  });

  app.post('/sign-in/passkey/answer', async (request, reply) => {
    requirePrivate(request, deps);
    requireFromOurPage(request);
    await requireFewFailures(request, deps);
    const form = formOf(request);
    const given = { token: readCookie(request, deps, 'sign-in'), answer: parseAnswer(form.get('answer')) };
    const party = requireParty(request, deps);
    const signedIn = await signInWithPasskey(deps.database, party, given, sourceOf(request));
    reply.header('cache-control', 'no-store');
    if (signedIn === null) {
      await countFailure(request, deps);
      return reply.code(422).send({ message: signInWords().wrongPasskey });
    }
    await finishSignIn(request, reply, deps, signedIn);
    return { next: nextPage(form.get('next')) };
  });
}

/** The browser's JSON, not validated; null if it is not JSON. */
export function parseAnswer(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
