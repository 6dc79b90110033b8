/**
 * Reports unknown fields of a body in the header `X-Ringkey-Unknown-Fields` and in the request's log line. They are not
 * rejected, because a newer client may send them, but a misspelt field should be noticed.
 */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { nearestName, PLAIN_NAME } from '../validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Plain names only. Null if there are none. */
    unknownFields: readonly string[] | null;
  }
}

const MAX_NAMED = 10;

/** For routes with an operation. A strict schema rejects unknown fields itself. */
export function nameUnknownFields(app: FastifyInstance): void {
  app.decorateRequest('unknownFields', null);
  app.addHook('preHandler', (request, reply, done) => {
    const schema = request.routeOptions.config.operation?.request;
    const { body } = request;
    if (schema instanceof z.ZodObject && typeof body === 'object' && body !== null) {
      const unknown = Object.keys(body).filter((name) => !(name in schema.shape) && PLAIN_NAME.test(name));
      if (unknown.length > 0) {
        request.unknownFields = unknown.slice(0, MAX_NAMED);
        reply.header('x-ringkey-unknown-fields', request.unknownFields.map((name) => named(name, schema)).join(', '));
      }
    }
    done();
  });
}

function named(name: string, { shape }: z.ZodObject): string {
  const nearest = nearestName(name, Object.keys(shape));
  return nearest === null ? name : `${name} (did you mean ${nearest}?)`;
}
