/** How a subject adds its pages: what each shows, and what its forms do. Signing in, CSRF, headers and faults are done here. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import type { Mode } from '../domain/session.ts';
import { DashboardFault } from './faults.ts';
import { setPageHeaders } from './headers.ts';
import { csrfToken, formOf } from './sign-in/form-token.ts';
import { requireFreshUser } from './sign-in/require-user.ts';
import { renderPage } from './views/layout.tsx';
import { firstPage, type SectionId } from './views/navigation.tsx';
import { type Visit, visitOf } from './visit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until somebody is known to be signed in. */
    visit: Visit | null;
  }
}

export interface View {
  /** Of the window, and of the page's heading. */
  title: string;
  /** The entry of the navigation that it belongs to; null for none. */
  section: SectionId | null;
  body: ComponentChildren;
  /** 200 where not given. A form that is wrong is shown again with 422. */
  status?: number;
}

/** Where the browser goes next (303), within the mode, e.g. what a form has changed; or what is shown, the form once more, say. */
export type Taken = { to: string } | View;

/** Fields of a form, by name. */
export type FormFields = Readonly<Record<string, string>>;

export interface PageRoutes {
  mode: Mode;
  /** `GET`; `{ to }` leads elsewhere. @param path within the mode, e.g. `/refunds/:id` */
  page(path: string, show: (visit: Visit) => Promise<Taken>): void;
  /** `POST` of a form that has the CSRF token; in live mode of a user who was not idle. */
  action(path: string, take: (visit: Visit, fields: FormFields) => Promise<Taken>): void;
  /** `GET` of a file: answered by itself, with the page's headers. */
  download(path: string, send: (visit: Visit, reply: FastifyReply) => Promise<FastifyReply>): void;
  /** Where somebody comes in: the first page that there is. */
  first(): string;
}

/** A subject's pages: one file of `pages/`. */
export type AddPages = (routes: PageRoutes) => void;

/**
 * @param app in the prefix of the mode, behind {@link requireUser}: nothing is answered to somebody who is not signed in, not even
 * that there is nothing
 */
export function pageRoutes(app: FastifyInstance, mode: Mode): PageRoutes {
  const knownPaths = new Set<string>();
  app.decorateRequest('visit', null);
  app.addHook('onRequest', async (request) => {
    const { user } = request;
    // To a user of one mode the other has nothing.
    const isHidden = user.mode !== undefined && user.mode !== mode;
    request.visit = visitOf(request, { mode: isHidden ? otherMode(mode) : mode, csrf: csrfToken(request), knownPaths });
    if (isHidden) throw new DashboardFault('not_found');
  });
  return {
    mode,
    page(path, show) {
      knownPaths.add(path);
      app.get(path, async (request, reply) => {
        const visited = visitIn(request);
        return sendTaken(request, reply, visited, await show(visited));
      });
    },
    action(path, take) {
      app.post(path, async (request, reply) => {
        if (!requireFreshUser(request, reply, mode)) return reply;
        const visited = visitIn(request);
        return sendTaken(request, reply, visited, await take(visited, Object.fromEntries(formOf(request))));
      });
    },
    download(path, send) {
      app.get(path, async (request, reply) => {
        const visited = visitIn(request);
        setPageHeaders(request, reply);
        return send(visited, reply);
      });
    },
    first: () => firstPage(['overview', 'calls'], knownPaths),
  };
}

function visitIn({ visit }: FastifyRequest): Visit {
  if (visit === null) throw new Error('a page is shown to nobody');
  return visit;
}

const otherMode = (mode: Mode): Mode => (mode === 'test' ? 'live' : 'test');

async function sendTaken(
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  taken: Taken,
): Promise<FastifyReply> {
  setPageHeaders(request, reply);
  if ('to' in taken) return reply.redirect(visit.base + taken.to, 303);
  return reply
    .code(taken.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(renderPage(visit, taken));
}
