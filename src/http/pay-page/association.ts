/** Apple Pay's domain association file, which Apple reads when a processor registers the pay page's host. */
import type { FastifyInstance } from 'fastify';

/** developer.apple.com/documentation/applepayontheweb/configuring-your-environment */
export const ASSOCIATION_PATH = '/.well-known/apple-developer-merchantid-domain-association';

/** @param file as the processor publishes it; without one there is no such path */
export function associationRoute(app: FastifyInstance, file: Buffer | null): void {
  if (file === null) return;
  app.get(ASSOCIATION_PATH, async (_request, reply) => reply.type('text/plain').send(file));
}
