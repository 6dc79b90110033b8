/** `POST /hooks/processors/<name>/<merchant>`: signed notifications of payment processors. They have no API key. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type NotificationDeps, takeNotification } from '../../../accounts/merchants/take-notification.ts';
import { ApiError } from '../../../contract/errors.ts';
import { requireWithinLimit } from '../plugins/auth.ts';
import { limitGuesses, type RateLimiter, rateLimitedAddress } from '../rate-limiter.ts';

interface ProcessorHookDeps extends NotificationDeps {
  rateLimiter: RateLimiter;
  onNotified?: () => void;
}

/** Far more than the largest notification, which has one object of the processor. */
const BODY_LIMIT_BYTES = 256 * 1024;

/** Register it under its own prefix: it parses bodies as bytes, because the signatures cover bytes. */
export function processorHookRoutes(app: FastifyInstance, deps: ProcessorHookDeps): void {
  const { rateLimiter } = deps;
  const failures = limitGuesses(rateLimiter, 'failure');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));

  app.post<{ Params: { processor: string; merchant: string } }>(
    '/:processor/:merchant',
    { bodyLimit: BODY_LIMIT_BYTES },
    async (request, reply) => {
      const { processor, merchant } = request.params;
      // Counted for this merchant only: one with a wrong secret does not block the others of the same processor.
      const client = `${rateLimitedAddress(request)} ${processor} ${merchant}`.slice(0, 200);
      requireWithinLimit(reply, await failures.refusal(client));
      requireWithinLimit(reply, await rateLimiter.count('key', client));
      const taken = await takeNotification(deps, request.params, {
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
        header: (name) => headerOf(request, name),
      });
      switch (taken.status) {
        case 'unsigned':
          await failures.count(client);
          throw new ApiError('invalid_key', { message: 'The request is not signed with the secret of this address.' });
        case 'unreadable':
          throw new ApiError('invalid_json', { message: 'The body is not a notification of this processor.' });
        case 'stored':
          deps.onNotified?.();
          break;
        case 'repeated':
        case 'ignored':
      }
      const { status, type, merchantId } = taken;
      request.log.info({ processor, merchantId, type, result: status }, 'processor notification');
      return reply.send({});
    },
  );
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
