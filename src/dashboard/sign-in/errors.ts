/** Why a request to the dashboard is refused, and the page that says so. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../domain/user.ts';

/** A refusal with a page of its own. The message is for the person. */
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

/** Without the form token, or from another site. */
export class ForgedRequest extends DashboardRefusal {
  constructor() {
    super(
      403,
      'Please send that again',
      'The page was open for too long, or the form did not come from this dashboard. Nothing was changed. Go back, reload the page and send it again.',
    );
  }
}

const WHO: Record<Role, string> = {
  owner: 'Only owners of the account',
  developer: 'Only owners and developers',
  support: 'Only owners, developers and support',
  viewer: 'Only users of the account',
};

/** A role that does not cover what was asked. */
export class RoleTooSmall extends DashboardRefusal {
  constructor(needed: Role) {
    super(403, 'Not for your role', `${WHO[needed]} may do this. An owner can change your role.`);
  }
}

/** What shows a refusal as a page. */
export type ShowRefusal = (refusal: DashboardRefusal, request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Shows refusals as pages; all else goes to the handler around. */
export function answerRefusals(app: FastifyInstance, show: ShowRefusal): void {
  const around = app.errorHandler;
  app.setErrorHandler((error, request, reply) => {
    if (error instanceof DashboardRefusal) return show(error, request, reply);
    return around.call(app, error as never, request, reply);
  });
}
