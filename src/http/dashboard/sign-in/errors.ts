/** Errors that refuse a request to the dashboard, each shown as a page. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../../domain/user.ts';

/** A refusal with its own page. The message is for the user. */
export class DashboardRefusal extends Error {
  readonly status: number;
  readonly title: string;
  constructor(status: number, title: string, message: string) {
    super(message);
    this.name = 'DashboardRefusal';
    this.status = status;
    this.title = title;
  }
}

/** A request without a valid form token, or from another site. */
export class ForgedRequest extends DashboardRefusal {
  constructor() {
    super(
      403,
      'Submit the form again',
      'The page was open too long, or the form did not come from this dashboard. Nothing was changed. Go back, reload the page and submit the form again.',
    );
  }
}

const WHO: Record<Role, string> = {
  owner: 'Only owners of the account',
  developer: 'Only owners and developers',
  support: 'Only owners, developers and support',
  viewer: 'Only users of the account',
};

/** The user's role does not allow the action. */
export class RoleTooSmall extends DashboardRefusal {
  constructor(needed: Role) {
    super(403, 'Your role does not allow this', `${WHO[needed]} can do this. Ask an owner to change your role.`);
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
