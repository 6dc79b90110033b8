/** Signing out, here or everywhere: `POST /dashboard/sign-out`. */
import type { FastifyInstance } from 'fastify';
import { endUserSession } from '../../../accounts/users/sessions.ts';
import { clearCookie } from './cookies.ts';
import { formOf, refuseForgedRequests } from './form-token.ts';
import { SIGN_IN } from './next-page.ts';
import { sourceOf } from './pages.tsx';
import type { SharedDeps } from './ports.ts';
import { requireUser } from './require-user.ts';

export function signOutRoutes(app: FastifyInstance, deps: SharedDeps): void {
  requireUser(app, deps);
  refuseForgedRequests(app);
  app.post('/sign-out', async (request, reply) => {
    const everywhere = formOf(request).get('everywhere') === '1';
    if (!request.user.isDemo) await endUserSession(deps.database, request.user, sourceOf(request), everywhere);
    clearCookie(request, reply, deps, 'session');
    reply.headers({ 'cache-control': 'no-store', 'clear-site-data': '"cache", "storage"' });
    return reply.redirect(SIGN_IN, 303);
  });
}
