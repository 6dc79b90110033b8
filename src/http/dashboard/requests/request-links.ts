/**
 * `/dashboard/requests/{id}`, the `request_log_url` of errors. The URL has no mode; it redirects to the request's own
 * mode.
 */
import type { FastifyInstance } from 'fastify';
import type { Mode } from '../../../domain/session.ts';
import { visitOf } from '../page/visit.ts';

const MODES: readonly Mode[] = ['test', 'live'];

/** @param app behind `requireUser` */
export function requestLinkRoute(app: FastifyInstance): void {
  app.get<{ Params: { id: string } }>('/:id', async (request, reply) => {
    const id = encodeURIComponent(request.params.id);
    const { mode: only } = request.user;
    const seen = MODES.filter((mode) => only === undefined || mode === only);
    const answers = await Promise.all(
      seen.map(async (mode) => {
        const visit = visitOf(request, { mode, csrf: '', knownPaths: new Set() });
        return { mode, ...(await visit.tryAsk({ path: `/v1/requests/${id}` })) };
      }),
    );
    const mode = answers.find(({ ok }) => ok)?.mode ?? seen[0];
    return reply.redirect(`/dashboard/${mode}/requests/${id}`, 303);
  });
}
