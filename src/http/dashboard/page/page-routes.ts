/** How a feature adds its pages and forms. Sign-in, CSRF, headers and errors are handled here. */
import type { PassThrough } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ComponentChildren } from 'preact';
import { formTokenOf, type SignedIn } from '../../../accounts/users/sessions.ts';
import { countOpenAttention } from '../../../db/attention/attention-items.ts';
import { limitToMerchants } from '../../../db/merchant-limit/limit.ts';
import type { Database } from '../../../db/pool.ts';
import { readMerchantLimit } from '../../../db/users/user-sessions.ts';
import type { Mode } from '../../../domain/session.ts';
import type { MerchantLimit } from '../../../domain/user.ts';
import { containsCardData } from '../../api/card-data.ts';
import { sendEventStream } from '../../api/event-streams.ts';
import { type CookieDeps, keepSession } from '../sign-in/cookies.ts';
import { csrfToken, formOf } from '../sign-in/form-token.ts';
import { requireFreshUser, requireRecentSignIn } from '../sign-in/require-user.ts';
import { ATTEMPT_FIELD, withAttempt } from './attempts.ts';
import { cardDataFault, DashboardFault } from './faults.ts';
import { type SentFile, takeFiles } from './files.ts';
import { setPageHeaders } from './headers.ts';
import { renderPage } from './layout.tsx';
import { isForLimitedUsers, pagesForLimitedUsers } from './limited-pages.ts';
import { firstPage, MOST_COUNTED, type SectionId } from './navigation.tsx';
import { useTimeZone } from './time-zone.ts';
import { type Visit, visitOf } from './visit.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Null until the user is known. */
    visit: Visit<string> | null;
  }
  interface FastifyContextConfig {
    /** Server-sent events, or a file: the response is still read and sent after the request was checked. */
    isLong?: boolean;
  }
}

export interface View {
  /** The title of the window. */
  title: string;
  /** The section in the navigation, or null. */
  section: SectionId | null;
  body: ComponentChildren;
  /** Shown without navigation, search and user menu, on the whole screen. */
  isWholeScreen?: true;
  /** Default 200. A form with errors is shown again with 422. */
  status?: number;
}

/** A redirect (303) to a path within the mode, or a page, for example the form with its errors. */
export type Taken = ({ to: string } | View) & {
  /** The new token of the user's session, if it changed. */
  signedIn?: SignedIn;
};

/** Fields of a form, by name. */
export type FormFields = Readonly<Record<string, string>>;

/** The parameters of a path: of `/refunds/:id`, `id`. */
type ParamIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

export interface PageRoutes {
  mode: Mode;
  /** For saved views, which REST does not have. */
  database: Database;
  /** As in {@link PageDeps}. */
  totalsWaitMs: number;
  /** `GET`. `{ to }` redirects. @param path within the mode, e.g. `/refunds/:id` */
  page<Path extends string>(path: Path, show: ShowPage<Path>): void;
  /** The same for a page whose form creates something. Its URL carries an attempt, see attempts.ts. */
  attemptPage<Path extends string>(path: Path, show: ShowPage<Path>): void;
  /** `POST` of a form with the CSRF token. In live mode, the user must not have been idle. */
  action<Path extends string>(path: Path, take: TakeForm<Path>): void;
  /** The same, but requires a recent sign-in in both modes. For changes to who can sign in. */
  guardedAction<Path extends string>(path: Path, take: TakeForm<Path>): void;
  /**
   * {@link guardedAction} in live mode, {@link action} in test mode. For keys, secrets, and the destinations of money,
   * calls and events.
   * @param isGuarded whether the form is guarded, by its fields. Default: always
   */
  liveGuardedAction<Path extends string>(
    path: Path,
    take: TakeForm<Path>,
    isGuarded?: (fields: FormFields) => boolean,
  ): void;
  /** {@link liveGuardedAction} of a form with a file, which is its field `file`. */
  liveGuardedUpload<Path extends string>(path: Path, take: TakeFile<Path>): void;
  /** `GET` of a file, with the page's security headers. */
  download<Path extends string>(path: Path, send: SendFile<Path>): void;
  /** The same for polling by a page. Polling does not count as user activity. */
  news<Path extends string>(path: Path, send: SendFile<Path>): void;
  /** `GET` of server-sent events. `open` returns null if there are too many readers. Streams end with the server. */
  stream<Path extends string>(path: Path, open: (visit: Visit<ParamIn<Path>>) => PassThrough | null): void;
  /** The landing page: the first existing page. */
  first(): string;
}

type ShowPage<Path extends string> = (visit: Visit<ParamIn<Path>>) => Promise<Taken>;
type TakeForm<Path extends string> = (visit: Visit<ParamIn<Path>>, fields: FormFields) => Promise<Taken>;
type TakeFile<Path extends string> = (
  visit: Visit<ParamIn<Path>>,
  fields: FormFields,
  file: SentFile | null,
) => Promise<Taken>;
type SendFile<Path extends string> = (visit: Visit<ParamIn<Path>>, reply: FastifyReply) => Promise<FastifyReply>;

/** Adds the pages of a feature. */
export type AddPages = (routes: PageRoutes) => void;

/** The page of a list opens within 200 ms. */
const TOTALS_WAIT_MS = 120;

export interface PageDeps extends CookieDeps {
  /** For the attention items in the menu, and for saved views. Pages read everything else over REST. */
  database: Database;
  /** How long a list waits for its totals, in milliseconds; longer if its rows take longer. Default: 120. */
  totalsWaitMs?: number;
}

/** @param app with the mode's prefix and {@link requireUser}, so that signed-out users can't even tell which pages exist */
export function pageRoutes(app: FastifyInstance, mode: Mode, deps: PageDeps): PageRoutes {
  const knownPaths = new Set<string>();
  const streams = new Set<PassThrough>();
  // The server waits for open responses before it closes.
  app.addHook('preClose', (done) => {
    for (const stream of streams) stream.end();
    done();
  });
  app.decorateRequest('visit', null);
  app.addHook('onRequest', async (request) => {
    const { user } = request;
    // Users limited to one mode see nothing in the other.
    const isHidden = user.mode !== undefined && user.mode !== mode;
    const isLimited = user.merchants !== null;
    request.visit = visitOf(request, {
      mode: isHidden ? otherMode(mode) : mode,
      csrf: csrfToken(request),
      knownPaths: isLimited ? pagesForLimitedUsers(knownPaths) : knownPaths,
      merchants: async () => merchantsOf(request, mode, deps.database),
    });
    if (isHidden || (isLimited && !isForLimitedUsers(pathOf(request, mode)))) throw new DashboardFault('not_found');
    if (containsCardData(request.query)) throw cardDataFault();
  });
  useTimeZone(app, deps.database);
  const sendFile = <Path extends string>(path: Path, send: SendFile<Path>, isBackground: boolean) =>
    app.get(path, { config: { isBackground, isLong: true } }, async (request, reply) => {
      const visited = visitIn(request);
      setPageHeaders(request, reply);
      return send(visited, reply);
    });
  const takeForm = <Path extends string>(
    path: Path,
    take: TakeFile<Path>,
    guard: (request: FastifyRequest, reply: FastifyReply) => boolean,
    routes = app,
  ) =>
    void routes.post(path, async (request, reply) => {
      if (!guard(request, reply)) return reply;
      const visited = visitIn(request);
      return sendTaken(request, reply, visited, deps, await take(visited, fieldsOf(request), request.sentFile ?? null));
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
  const guardedIf: PageRoutes['liveGuardedAction'] = (path, take, isGuarded = () => true) =>
    takeForm(path, take, (request, reply) => {
      if (isGuarded(fieldsOf(request))) return requireRecentSignIn(request, reply);
      return requireFreshUser(request, reply, mode);
    });
  return {
    mode,
    database: deps.database,
    totalsWaitMs: deps.totalsWaitMs ?? TOTALS_WAIT_MS,
    action,
    guardedAction,
    liveGuardedAction: mode === 'live' ? guardedIf : action,
    liveGuardedUpload: (path, take) =>
      void app.register((uploads, _options, done) => {
        takeFiles(uploads);
        takeForm(
          path,
          take,
          mode === 'live' ? requireRecentSignIn : (request, reply) => requireFreshUser(request, reply, mode),
          uploads,
        );
        done();
      }),
    page: showPage,
    attemptPage: (path, show) =>
      showPage(path, async (visit) =>
        visit.query[ATTEMPT_FIELD] === visit.attempt ? show(visit) : toItsAttempt(visit),
      ),
    download: (path, send) => void sendFile(path, send, false),
    news: (path, send) => void sendFile(path, send, true),
    stream(path, open) {
      // A HEAD request to a stream would never end.
      app.get(
        path,
        { exposeHeadRoute: false, config: { isBackground: true, isLong: true } },
        async (request, reply) => {
          const stream = open(visitIn(request));
          if (stream !== null) {
            streams.add(stream);
            stream.once('close', () => streams.delete(stream));
          }
          setPageHeaders(request, reply);
          return sendEventStream(reply, stream);
        },
      );
    },
    first: () => firstPage(['overview', 'calls'], knownPaths),
  };
}

/** The route's path within the mode. */
const pathOf = ({ routeOptions: { url = '' } }: FastifyRequest, mode: Mode): string =>
  url.slice(`/dashboard/${mode}`.length) || '/';

/**
 * A long response reads the limit again for all that it sends. If the session has ended, or the page is not for the user
 * anymore, it breaks.
 */
async function merchantsOf(request: FastifyRequest, mode: Mode, database: Database): Promise<MerchantLimit> {
  const { user, routeOptions } = request;
  if (user.isDemo || routeOptions.config.isLong !== true) return user.merchants;
  const now = await readMerchantLimit(database, user.sessionId);
  if (now === undefined) throw new DashboardFault('forbidden');
  if (now !== null && !isForLimitedUsers(pathOf(request, mode))) throw new DashboardFault('not_found');
  return now;
}

const fieldsOf = (request: FastifyRequest): FormFields => Object.fromEntries(formOf(request));

function visitIn({ visit }: FastifyRequest): Visit<string> {
  if (visit === null) throw new Error('a page was rendered without a user');
  return visit;
}

const toItsAttempt = ({ path, base, query }: Visit): Taken => ({ to: withAttempt(path.slice(base.length), query) });

const otherMode = (mode: Mode): Mode => (mode === 'test' ? 'live' : 'test');

/** How many attention items are open, up to {@link MOST_COUNTED}. */
export async function openAttention(database: Database, visit: Visit): Promise<number> {
  const scope = { accountId: visit.user.accountId, mode: visit.mode };
  return countOpenAttention(limitToMerchants(database, await visit.merchants()), scope, MOST_COUNTED);
}

async function sendTaken(
  request: FastifyRequest,
  reply: FastifyReply,
  visited: Visit,
  deps: PageDeps,
  taken: Taken,
): Promise<FastifyReply> {
  const { signedIn } = taken;
  // Forms on the rendered page need the new token.
  const visit = signedIn === undefined ? visited : { ...visited, csrf: formTokenOf(signedIn.token) };
  if (signedIn !== undefined) keepSession(request, reply, deps, signedIn);
  setPageHeaders(request, reply);
  if ('to' in taken) return reply.redirect(visit.base + taken.to, 303);
  const attention = await openAttention(deps.database, visit);
  return reply
    .code(taken.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(renderPage(visit, taken, attention));
}
