/** The answer to a request that no route takes: whether its path is unknown, or takes another method. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from '../../../contract/errors.ts';
import type { OperationRoute } from '../reference/operation.ts';

/** @returns the error to answer with; sets `Allow` (RFC 9110, 10.2.1) where the path takes other methods */
export function noSuchRoute(
  operations: readonly OperationRoute[],
  request: FastifyRequest,
  reply: FastifyReply,
): ApiError {
  const [path = ''] = request.url.split('?', 1);
  const methods = operations
    .filter((operation) => isOf(operation.path, path))
    .map(({ method }) => method.toUpperCase());
  if (methods.length === 0) return new ApiError('not_found');
  reply.header('allow', methods.join(', '));
  return new ApiError('not_found', { message: `This path takes ${methods.join(' and ')}.` });
}

/** @param pattern as OpenAPI writes it: `/v1/keys/{id}` */
function isOf(pattern: string, path: string): boolean {
  const [names, parts] = [pattern.split('/'), path.replace(/\/$/, '').split('/')];
  return names.length === parts.length && names.every((name, place) => name.startsWith('{') || name === parts[place]);
}
