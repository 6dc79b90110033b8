/** Adding a passkey for a signed-in user: the requests of the page's script. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addOwnPasskey, MAX_PASSKEY_NAME_LENGTH } from '../../../accounts/users/own-credentials.ts';
import { askForNewPasskey, readNewPasskey } from '../../../accounts/users/passkeys.ts';
import { findUser } from '../../../db/users/users.ts';
import type { User } from '../../../domain/user.ts';
import { clearCookie, readCookie } from './cookies.ts';
import { DashboardRefusal } from './errors.ts';
import { formOf, refuseForgedRequests } from './form-token.ts';
import { nextPage } from './next-page.ts';
import { keepAttempt, requireParty, requirePrivate } from './pages.tsx';
import { parseAnswer } from './passkey-routes.ts';
import type { SharedDeps } from './ports.ts';
import { requireUser } from './require-user.ts';

/** The script requests the options here and sends the response to `/answer` below it. */
export const OWN_PASSKEY = '/dashboard/sign-in/own-passkey';
const PATH = '/sign-in/own-passkey';

export function ownPasskeyRoutes(app: FastifyInstance, deps: SharedDeps): void {
  requireUser(app, deps);
  refuseForgedRequests(app);

  app.post(PATH, async (request, reply) => {
    const user = await ownUser(request, deps);
    const { options, token } = await askForNewPasskey(deps.database, requireParty(request, deps), user);
    keepAttempt(request, reply, deps, token);
    return reply.header('cache-control', 'no-store').send(options);
  });

  app.post(`${PATH}/answer`, async (request, reply) => {
    const user = await ownUser(request, deps);
    const form = formOf(request);
    const passkey = await readNewPasskey(deps.database, requireParty(request, deps), {
      token: readCookie(request, deps, 'sign-in'),
      answer: parseAnswer(form.get('answer')),
      userId: user.id,
    });
    clearCookie(request, reply, deps, 'sign-in');
    const name = (form.get('name') ?? '').trim().slice(0, MAX_PASSKEY_NAME_LENGTH) || 'Passkey';
    if (passkey === null || !(await addOwnPasskey(deps.database, request.actor, request.user, { ...passkey, name }))) {
      throw new DashboardRefusal(422, ({ refusals }) => refusals.noPasskey);
    }
    return reply.header('cache-control', 'no-store').send({ next: nextPage(form.get('next')) });
  });
}

/** @throws DashboardRefusal for the demo, or without a recent sign-in */
async function ownUser(request: FastifyRequest, deps: SharedDeps): Promise<User> {
  requirePrivate(request, deps);
  const { isDemo, isRecent, userId } = request.user;
  const user = isDemo ? null : await findUser(deps.database, userId);
  if (user === null) throw new DashboardRefusal(403, ({ refusals }) => refusals.noUser);
  if (isRecent) return user;
  throw new DashboardRefusal(403, ({ refusals }) => refusals.notRecent);
}
