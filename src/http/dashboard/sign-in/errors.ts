/** Errors that refuse a request to the dashboard, each shown as a page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../../domain/user.ts';
import { type SignInWords, signInWords } from './words/index.ts';

interface RefusalWords {
  title: string;
  /** For the user. */
  text: string;
}

/** A refusal with its own page. Its words are made when it is shown, in the language of the request. */
export class DashboardRefusal extends Error {
  readonly status: number;
  readonly #choose: (words: SignInWords) => RefusalWords;
  constructor(status: number, choose: (words: SignInWords) => RefusalWords) {
    super('the dashboard refused the request');
    this.name = 'DashboardRefusal';
    this.status = status;
    this.#choose = choose;
  }

  words(): RefusalWords {
    return this.#choose(signInWords());
  }
}

/** A request without a valid form token, or from another site. */
export class ForgedRequest extends DashboardRefusal {
  constructor() {
    super(403, ({ refusals }) => refusals.forged);
  }
}

/** The user's role does not allow the action. */
export class RoleTooSmall extends DashboardRefusal {
  constructor(needed: Role) {
    super(403, ({ refusals, requiredRole }) => ({ title: refusals.role, text: requiredRole[needed] }));
  }
}

/** Shows a refusal as a page. */
type ShowRefusal = (refusal: DashboardRefusal, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Shows refusals as pages. Other errors go to the outer handler. */
export function answerRefusals(app: FastifyInstance, show: ShowRefusal): void {
  const outer = app.errorHandler;
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof DashboardRefusal) return show(error, request, reply);
    return outer.call(app, error as never, request, reply);
  });
}
