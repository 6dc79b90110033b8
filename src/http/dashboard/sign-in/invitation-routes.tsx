/** The page of a one-time link: `/dashboard/invitation/<token>`. Opening it does not use up the link. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import {
  acceptWithPasskey,
  acceptWithPassword,
  type OpenInvitation,
  offeredTotpSecret,
  openInvitation,
  type PasswordFaults,
} from '../../../accounts/users/accept-invitation.ts';
import { askForNewPasskey, readNewPasskey } from '../../../accounts/users/passkeys.ts';
import { readCookie } from './cookies.ts';
import { DashboardRefusal } from './errors.ts';
import { formOf, requireFromOurPage } from './form-token.ts';
import { InvitationPage, RecoveryCodes } from './invitation-views.tsx';
import { FRONT_PAGE } from './next-page.ts';
import {
  countFailure,
  finishSignIn,
  keepAttempt,
  relyingParty,
  requireFewFailures,
  requireParty,
  requirePrivate,
  sendSignInPage,
  sourceOf,
} from './pages.tsx';
import { parseAnswer } from './passkey-routes.ts';
import { busy } from './password-routes.tsx';
import type { SharedDeps } from './ports.ts';
import { signInWords } from './words/index.ts';

/** The default name in the list. */
const FIRST_PASSKEY = 'Passkey';

class InvitationGone extends DashboardRefusal {
  constructor() {
    super(410, ({ refusals }) => refusals.gone);
  }
}

export function invitationRoutes(app: FastifyInstance, deps: SharedDeps): void {
  app.get('/invitation/:token', async (request, reply) => {
    const { invitation, token } = await invited(request, deps);
    return sendInvitation(request, reply, deps, { invitation, token, faults: {} });
  });

  app.post('/invitation/:token', async (request, reply) => {
    requireFromOurPage(request);
    const { invitation, token } = await invited(request, deps);
    const form = formOf(request);
    const given = { token, password: form.get('password') ?? '', code: form.get('code') ?? '' };
    const result = await acceptWithPassword(deps, invitation, given, sourceOf(request)).catch(busy);
    if (result.kind === 'gone') throw new InvitationGone();
    if (result.kind === 'faults') {
      return sendInvitation(request, reply, deps, { invitation, token, faults: result.faults });
    }
    await finishSignIn(request, reply, deps, result.signedIn);
    const body = <RecoveryCodes codes={result.recoveryCodes} next={FRONT_PAGE} />;
    return sendSignInPage(request, reply, { title: signInWords().recoveryCodes, body });
  });

  app.post('/invitation/:token/passkey', async (request, reply) => {
    requireFromOurPage(request);
    const { invitation } = await invited(request, deps);
    const { options, token } = await askForNewPasskey(deps.database, requireParty(request, deps), invitation.user);
    keepAttempt(request, reply, deps, token);
    return reply.header('cache-control', 'no-store').send(options);
  });

  app.post('/invitation/:token/passkey/answer', async (request, reply) => {
    requireFromOurPage(request);
    const { invitation, token } = await invited(request, deps);
    const passkey = await readNewPasskey(deps.database, requireParty(request, deps), {
      token: readCookie(request, deps, 'sign-in'),
      answer: parseAnswer(formOf(request).get('answer')),
      userId: invitation.user.id,
    });
    if (passkey === null) throw new DashboardRefusal(422, ({ refusals }) => refusals.noPasskey);
    const made = { ...passkey, name: FIRST_PASSKEY };
    const result = await acceptWithPasskey(deps.database, token, made, sourceOf(request));
    if (result.kind !== 'accepted') throw new InvitationGone();
    await finishSignIn(request, reply, deps, result.signedIn);
    return reply.header('cache-control', 'no-store').send({ next: FRONT_PAGE });
  });
}

/** @throws DashboardRefusal */
async function invited(
  request: FastifyRequest,
  deps: SharedDeps,
): Promise<{ invitation: OpenInvitation; token: string }> {
  requirePrivate(request, deps);
  await requireFewFailures(request, deps);
  const { token } = request.params as { token: string };
  const invitation = await openInvitation(deps.database, token);
  if (invitation !== null) return { invitation, token };
  await countFailure(request, deps);
  throw new InvitationGone();
}

async function sendInvitation(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: SharedDeps,
  { invitation, token, faults }: { invitation: OpenInvitation; token: string; faults: PasswordFaults },
): Promise<FastifyReply> {
  const secret = await offeredTotpSecret(deps.database, deps.vault, token, invitation.user);
  const view = { invitation, token, secret, faults, hasPasskeys: relyingParty(request, deps) !== null };
  const status = Object.keys(faults).length === 0 ? 200 : 422;
  const title = signInWords().join(invitation.accountName);
  return sendSignInPage(request, reply, { title, body: <InvitationPage {...view} />, status });
}
