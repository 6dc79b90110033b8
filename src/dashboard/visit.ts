/** A request of a signed-in user for a page: who, in which mode, and the one way to the data, the REST surface. */
import type { FastifyRequest } from 'fastify';
import { askApi, type ApiQuestion, type ApiReply } from '../api/in-process.ts';
import type { ErrorObject } from '../contract/error-object.ts';
import type { Actor } from '../domain/audit.ts';
import { randomToken } from '../domain/ids.ts';
import type { Mode } from '../domain/session.ts';
import { attemptOf, onceKey } from './attempts.ts';
import { DashboardFault, faultOfStatus } from './faults.ts';
import type { DashboardUser } from './sign-in/require-user.ts';
import type { KnownPaths } from './views/navigation.tsx';

export interface Visit {
  user: DashboardUser;
  /** The user, for the audit trail. */
  actor: Actor;
  mode: Mode;
  /** `/dashboard/test`: what every address of the mode begins with. */
  base: string;
  /** The address without its query. */
  path: string;
  /** How the browser reaches this service: `http://127.0.0.1:8080`. */
  origin: string;
  /** Parameters of the path, by name. */
  params: Readonly<Record<string, string>>;
  /** The query, by name; of a name that stands there twice the first. */
  query: Readonly<Record<string, string>>;
  /** Pages that there are, within the mode. */
  knownPaths: KnownPaths;
  /** For the hidden field `form_token`; {@link Form} puts it in. */
  csrf: string;
  /** For the hidden field `attempt`: the form's own, else that of the page's address, else a fresh one. See attempts.ts. */
  attempt: string;
  /**
   * Asks the REST surface as this user, in this mode. @returns the body of the answer
   * What a form with an attempt asks for by POST is carried out once.
   * @throws DashboardFault for every error of it: what is not there is a 404 page, what the role does not cover a 403 page
   */
  ask<T>(question: ApiQuestion): Promise<T>;
  /** The same, but errors come back: for forms, which tell what is wrong. */
  tryAsk<T>(question: ApiQuestion): Promise<Answer<T>>;
}

export type Answer<T> = { ok: true; body: T } | { ok: false; status: number; error: ErrorObject };

/** @param request behind `requireUser` */
export function visitOf(
  request: FastifyRequest,
  { mode, csrf, knownPaths }: Pick<Visit, 'mode' | 'csrf' | 'knownPaths'>,
): Visit {
  const { user, actor, isLocal } = request;
  const principal = { accountId: user.accountId, mode, role: user.role, actor, isLocal };
  const reply = (question: ApiQuestion): Promise<ApiReply> => {
    const attempt = request.method === 'POST' && question.method === 'POST' ? attemptOf(request) : null;
    const once =
      attempt === null ? {} : { idempotencyKey: onceKey(user.userId, attempt, [question.path, question.body]) };
    return askApi(request.server, principal, { ...once, ...question });
  };
  // A form's fields are read after this.
  let attempt: string | undefined;
  const tryAsk = async <T>(question: ApiQuestion): Promise<Answer<T>> => {
    const { status, body } = await reply(question);
    return status < 300
      ? { ok: true, body: body as T }
      : { ok: false, status, error: (body as { error: ErrorObject }).error };
  };
  return {
    ...{ user, actor, mode, csrf, knownPaths, tryAsk },
    base: `/dashboard/${mode}`,
    path: request.url.split('?', 1)[0] ?? '',
    origin: `${request.protocol}://${request.host}`,
    get attempt() {
      attempt ??= attemptOf(request) ?? randomToken();
      return attempt;
    },
    params: (request.params ?? {}) as Record<string, string>,
    query: firstOfEach(request.query),
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
