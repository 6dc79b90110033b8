/** A signed-in user's request for a page: the user, the mode, and access to data through the REST surface. */
import type { FastifyRequest } from 'fastify';
import type { ErrorObject } from '../../../contract/error-object.ts';
import type { Actor } from '../../../domain/audit.ts';
import { randomToken } from '../../../domain/ids.ts';
import type { Mode } from '../../../domain/session.ts';
import { type MerchantLimit, roleCovers } from '../../../domain/user.ts';
import { containsCardData } from '../../api/card-data.ts';
import { type ApiQuestion, type ApiReply, askApi } from '../../api/in-process.ts';
import type { DashboardUser } from '../sign-in/require-user.ts';
import { language } from '../words/language.ts';
import { timeZone } from '../words/time-zone.ts';
import { attemptOf, onceKey } from './attempts.ts';
import { wantsCompact } from './density.tsx';
import { DashboardFault, faultOfStatus } from './faults.ts';
import type { KnownPaths } from './navigation.tsx';
import { type Theme, themeOf } from './theme.tsx';

/** @typeParam Param the names of the path's parameters */
export interface Visit<Param extends string = never> {
  user: DashboardUser;
  /** The user, for the audit trail. */
  actor: Actor;
  mode: Mode;
  /** The log of the request. */
  log: FastifyRequest['log'];
  /** `/dashboard/test`: the prefix of all paths in the mode. */
  base: string;
  /** The path of the URL, without the query. */
  path: string;
  /** The origin the browser uses: `http://127.0.0.1:8080`. */
  origin: string;
  /** Parameters of the path, decoded. */
  params: Readonly<Record<Param, string>>;
  /** The query parameters by name. If a name repeats, the first value counts. */
  query: Readonly<Record<string, string>>;
  /** Paths of the existing pages, within the mode. */
  knownPaths: KnownPaths;
  /** Whether the user has chosen the compact density in this browser. */
  isCompact: boolean;
  /** The theme that the user has chosen in this browser. */
  theme: Theme;
  /**
   * The merchants to which the user is limited. In a stream or file, as they are now.
   * @throws DashboardFault if signed out since, or limited in a page that is not for limited users
   */
  merchants(): Promise<MerchantLimit>;
  /** For the hidden field `form_token`, which {@link Form} adds. */
  csrf: string;
  /**
   * For the hidden field `attempt`: from the form, otherwise from the page's URL, otherwise a new one. See attempts.ts.
   */
  attempt: string;
  /**
   * Calls the REST surface as this user, in this mode. A POST from a form with an attempt is carried out once.
   * @returns the body of the response
   * @throws DashboardFault for every error: a missing object becomes a 404 page, an insufficient role a 403 page
   */
  ask<T>(question: ApiQuestion): Promise<T>;
  /** The same, but returns errors. For forms that show them. */
  tryAsk<T>(question: ApiQuestion): Promise<Answer<T>>;
}

type Answer<T> = { ok: true; body: T } | { ok: false; status: number; error: ErrorObject };

/** The `:id` of the path, encoded for a URL. */
export const idInPath = ({ params }: Visit<'id'>): string => encodeURIComponent(params.id);

/** For forms that send nothing to REST, which otherwise checks the role. @throws DashboardFault `forbidden` */
export function requireDeveloper({ user }: Pick<Visit, 'user'>): void {
  if (!roleCovers(user.role, 'developer')) throw new DashboardFault('forbidden');
}

/** @param request behind `requireUser` */
export function visitOf(
  request: FastifyRequest,
  { mode, csrf, knownPaths, merchants }: Pick<Visit, 'mode' | 'csrf' | 'knownPaths' | 'merchants'>,
): Visit<string> {
  const { user, actor, isLocal } = request;
  const principal = { accountId: user.accountId, mode, role: user.role, actor, isLocal };
  const reply = async (question: ApiQuestion): Promise<ApiReply> => {
    const attempt = request.method === 'POST' && question.method === 'POST' ? attemptOf(request) : null;
    const once =
      attempt === null ? {} : { idempotencyKey: onceKey(user.userId, attempt, [question.path, question.body]) };
    return askApi(
      request.server,
      { ...principal, merchants: await merchants(), language: language(), timeZone: timeZone() },
      { ...once, ...question },
    );
  };
  // Computed on first use, because the form's fields are parsed later.
  let attempt: string | undefined;
  const tryAsk = async <T>(question: ApiQuestion): Promise<Answer<T>> => {
    const { status, body } = await reply(question);
    return status < 300
      ? { ok: true, body: body as T }
      : { ok: false, status, error: (body as { error: ErrorObject }).error };
  };
  return {
    user,
    actor,
    mode,
    csrf,
    knownPaths,
    merchants,
    log: request.log,
    tryAsk,
    isCompact: wantsCompact(request.headers.cookie),
    theme: themeOf(request.headers.cookie),
    base: `/dashboard/${mode}`,
    path: request.url.split('?', 1)[0] ?? '',
    origin: `${request.protocol}://${request.host}`,
    get attempt() {
      attempt ??= attemptOf(request) ?? randomToken();
      return attempt;
    },
    params: (request.params ?? {}) as Record<string, string>,
    // The page that refuses card data must not repeat it.
    query: containsCardData(request.query) ? {} : firstOfEach(request.query),
    async ask<T>(question: ApiQuestion): Promise<T> {
      const answer = await tryAsk<T>(question);
      if (answer.ok) return answer.body;
      throw new DashboardFault(faultOfStatus(answer.status), answer.error.message);
    },
  };
}

function firstOfEach(query: unknown): Record<string, string> {
  const values = Object.entries((query ?? {}) as Record<string, unknown>);
  return Object.fromEntries(values.map(([name, value]) => [name, String(Array.isArray(value) ? value[0] : value)]));
}
