/** How a subject adds its pages: what each shows, and what its forms do. Signing in, CSRF, headers and faults are done here. */
import type { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { sendEventStream } from '../api/event-streams.ts';
import type { Mode } from '../domain/session.ts';
import { formTokenOf, type SignedIn } from '../users/sessions.ts';
import { ATTEMPT_FIELD, withAttempt } from './attempts.ts';
import { DashboardFault } from './faults.ts';
import { setPageHeaders } from './headers.ts';
import { type CookieDeps, keepSession } from './sign-in/cookies.ts';
import { csrfToken, formOf } from './sign-in/form-token.ts';
import { requireFreshUser, requireRecentSignIn } from './sign-in/require-user.ts';
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
export type Taken = ({ to: string } | View) & {
  /** The user's session has another token from now on. */
  signedIn?: SignedIn;
};

/** Fields of a form, by name. */
export type FormFields = Readonly<Record<string, string>>;

export interface PageRoutes {
  mode: Mode;
  /** `GET`; `{ to }` leads elsewhere. @param path within the mode, e.g. `/refunds/:id` */
  page(path: string, show: (visit: Visit) => Promise<Taken>): void;
  /** The same of a page whose form makes something: its address gets an attempt, and keeps it. See attempts.ts. */
  formPage(path: string, show: (visit: Visit) => Promise<Taken>): void;
  /** `POST` of a form that has the CSRF token; in live mode of a user who was not idle. */
  action(path: string, take: TakeForm): void;
  /** The same, in either mode of a user who signed in a short time ago: for what changes who gets in. */
  guardedAction(path: string, take: TakeForm): void;
  /** In live mode as {@link guardedAction}, in test mode as {@link action}: for keys, secrets, and where money and events go. */
  liveGuardedAction(path: string, take: TakeForm): void;
  /** `GET` of a file: answered by itself, with the page's headers. */
  download(path: string, send: SendFile): void;
  /** The same for what a page asks for by itself, from time to time: no sign of life of its user. */
  news(path: string, send: SendFile): void;
  /** `GET` of server-sent events. `open` answers null where there are too many readers. The streams end with the server. */
  stream(path: string, open: (visit: Visit) => PassThrough | null): void;
  /** Where somebody comes in: the first page that there is. */
  first(): string;
}

type TakeForm = (visit: Visit, fields: FormFields) => Promise<Taken>;
type SendFile = (visit: Visit, reply: FastifyReply) => Promise<FastifyReply>;

/** A subject's pages: one file of `pages/`. */
export type AddPages = (routes: PageRoutes) => void;

/**
 * @param app in the prefix of the mode, behind {@link requireUser}: nothing is answered to somebody who is not signed in, not even
 * that there is nothing
 */
export function pageRoutes(app: FastifyInstance, mode: Mode, deps: CookieDeps): PageRoutes {
  const knownPaths = new Set<string>();
  const streams = new Set<PassThrough>();
  // The server waits for open answers before it closes.
  app.addHook('preClose', (done) => {
    for (const stream of streams) stream.end();
    done();
  });
  app.decorateRequest('visit', null);
  app.addHook('onRequest', async (request) => {
    const { user } = request;
    // To a user of one mode the other has nothing.
    const isHidden = user.mode !== undefined && user.mode !== mode;
    request.visit = visitOf(request, { mode: isHidden ? otherMode(mode) : mode, csrf: csrfToken(request), knownPaths });
    if (isHidden) throw new DashboardFault('not_found');
  });
  const sendFile = (path: string, send: SendFile, isBackground: boolean) =>
    app.get(path, { config: { isBackground } }, async (request, reply) => {
      const visited = visitIn(request);
      setPageHeaders(request, reply);
      return send(visited, reply);
    });
  const takeForm = (path: string, take: TakeForm, guard: (request: FastifyRequest, reply: FastifyReply) => boolean) =>
    void app.post(path, async (request, reply) => {
      if (!guard(request, reply)) return reply;
      const visited = visitIn(request);
      return sendTaken(request, reply, visited, deps, await take(visited, Object.fromEntries(formOf(request))));
    });
  const showPage: PageRoutes['page'] = (path, show) => {
    knownPaths.add(path);
    app.get(path, async (request, reply) => {
      const visited = visitIn(request);
      return sendTaken(request, reply, visited, deps, await show(visited));
    });
  };
  const action: PageRoutes['action'] = (path, take) =>
    takeForm(path, take, (request, reply) => requireFreshUser(request, reply, mode));
  const guardedAction: PageRoutes['guardedAction'] = (path, take) => takeForm(path, take, requireRecentSignIn);
  return {
    ...{ mode, action, guardedAction, liveGuardedAction: mode === 'live' ? guardedAction : action },
    page: showPage,
    formPage: (path, show) =>
      showPage(path, async (visit) =>
        visit.query[ATTEMPT_FIELD] === visit.attempt ? show(visit) : toItsAttempt(visit),
      ),
    download: (path, send) => void sendFile(path, send, false),
    news: (path, send) => void sendFile(path, send, true),
    stream(path, open) {
      // A stream has no end that a HEAD could wait for.
      app.get(path, { exposeHeadRoute: false, config: { isBackground: true } }, async (request, reply) => {
        const stream = open(visitIn(request));
        if (stream !== null) {
          streams.add(stream);
          stream.once('close', () => streams.delete(stream));
        }
        setPageHeaders(request, reply);
        return sendEventStream(reply, stream);
      });
    },
    first: () => firstPage(['overview', 'calls'], knownPaths),
  };
}

function visitIn({ visit }: FastifyRequest): Visit {
  if (visit === null) throw new Error('a page is shown to nobody');
  return visit;
}

const toItsAttempt = ({ path, base, query }: Visit): Taken => ({ to: withAttempt(path.slice(base.length), query) });

const otherMode = (mode: Mode): Mode => (mode === 'test' ? 'live' : 'test');

async function sendTaken(
  request: FastifyRequest,
  reply: FastifyReply,
  visited: Visit,
  deps: CookieDeps,
  taken: Taken,
): Promise<FastifyReply> {
  const { signedIn } = taken;
  // The forms of the page that is answered go with the new token.
  const visit = signedIn === undefined ? visited : { ...visited, csrf: formTokenOf(signedIn.token) };
  if (signedIn !== undefined) keepSession(request, reply, deps, signedIn);
  setPageHeaders(request, reply);
  if ('to' in taken) return reply.redirect(visit.base + taken.to, 303);
  return reply
    .code(taken.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(renderPage(visit, taken));
}
