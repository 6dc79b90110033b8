/** Collects what the routes say of themselves, in the order in which they are added. */
import type { FastifyInstance, HTTPMethods } from 'fastify';
import type { Operation } from './operation.ts';

/** An operation, and where it is. */
export interface OperationRoute extends Operation {
  method: 'get' | 'post' | 'patch' | 'put' | 'delete';
  /** As OpenAPI writes it: `/v1/keys/{id}`. */
  path: string;
}

/** Where a route without a place in the reference is an error. */
const OF_THE_API = /^\/(?:v1|api)\//;

/** Call it before any route is added: one of the API that does not describe itself is refused. Whole once the app is ready. */
export function collectOperations(app: FastifyInstance): readonly OperationRoute[] {
  const routes: OperationRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const operation = config?.operation;
    // Fastify adds a HEAD of its own to each GET.
    if (method === 'HEAD') return;
    if (operation === undefined) {
      if (OF_THE_API.test(url)) throw new Error(`${method} ${url} does not describe itself: config.operation`);
      return;
    }
    if (routes.some(({ id }) => id === operation.id)) throw new Error(`two routes are the operation ${operation.id}`);
    routes.push({ ...operation, method: methodOf(method), path: url.replace(/:(\w+)/g, '{$1}') });
  });
  return routes;
}

function methodOf(methods: HTTPMethods | HTTPMethods[]): OperationRoute['method'] {
  switch (methods) {
    case 'GET':
      return 'get';
    case 'POST':
      return 'post';
    case 'PATCH':
      return 'patch';
    case 'PUT':
      return 'put';
    case 'DELETE':
      return 'delete';
    default:
      throw new Error('an operation is one of GET, POST, PATCH, PUT, DELETE');
  }
}
