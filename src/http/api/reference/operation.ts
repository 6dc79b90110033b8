/**
 * Operations: the description of each route, in its `config.operation`. The OpenAPI document, `/docs` and generated
 * clients come from it, and requests are validated by the same schemas.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { ErrorCode } from '../../../contract/error-catalogue.ts';
import { isMadeHere } from '../../../domain/ids.ts';
import type { KeyScope } from '../../../domain/key.ts';
import type { Role } from '../../../domain/user.ts';
import { requireNoCardData } from '../card-data.ts';
import { parseBody, parseQuery } from '../validation.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Shown in the reference. The app does not start if a route under `/v1` or `/api` has none. */
    operation?: Operation;
  }
}

/** The sections of the reference in order, each with a description. */
export const GROUPS = {
  Checkout: 'Create a checkout, see its outcome, and take the payment.',
  Calls: 'The calls on the payment line, step by step.',
  Charges: 'Every attempt to charge a card.',
  Refunds: 'Full and partial refunds.',
  Payouts: 'What the processors pay to your merchants, and the fees.',
  Disputes: "Charges that the payer's bank questions.",
  Texts: 'Texts that were sent to callers.',
  Callers: 'The callers and their saved cards.',
  Merchants: 'Who gets paid: settings, processor and orders.',
  Webhooks: 'The endpoints that receive signed events.',
  Events: 'What happened, as sent to your webhook endpoints. You can also send events again.',
  Attention: 'Problems that need a person. Each item closes when its cause is gone.',
  Account: 'The account of your key, and where its callers can be sent.',
  Keys: 'API keys of the account, in the mode of your key.',
  Requests: 'Requests to this API and their answers, from the last 30 days.',
  Audit: 'Who changed what, and from where.',
} as const;

/** Tables of objects that limited users can change. */
export type LimitedObject = 'attention_items' | 'calls' | 'charges' | 'checkout_sessions';

export interface Operation {
  /** Unique, in snake case: `create_checkout`. */
  id: string;
  group: keyof typeof GROUPS;
  /** `agent`: keys of every scope can use it. `full`, the default: only keys of that scope. */
  scope?: KeyScope;
  /**
   * The role that a dashboard user needs. The default is `viewer` for a GET, otherwise `developer`. Never `owner`: a
   * developer can create a key with the scope `full`, which can use every operation. Actions for owners only have no
   * operation.
   */
  role?: Exclude<Role, 'owner'>;
  /**
   * What users who are limited to merchants can do with it. Absent: nothing. `read`: the handler reads rows of their
   * merchants only, and cannot write. An object: the handler runs without a limit if the object with the ID in this field
   * of the path or the body belongs to their merchants. Otherwise the answer is 404.
   */
  limited?: 'read' | { object: LimitedObject; field: string };
  summary: string;
  /** Markdown: what it does, and rules that no field describes. */
  description: string;
  /** Path parameters, by their names in the route. */
  params?: z.ZodObject;
  query?: z.ZodObject;
  /** Request headers other than `Authorization` and the `Idempotency-Key` of a POST. */
  headers?: z.ZodObject;
  request?: z.ZodType;
  /** The body is a file of one of these content types. */
  upload?: readonly string[];
  /** The code for a missing field of the body. The default is `missing_required_fields`. */
  missing?: ErrorCode;
  response: z.ZodType;
  /** Describes the successful answer in a sentence. */
  answers: string;
  /** The default is 200. */
  status?: 200 | 201 | 202;
  /** Its own codes. All operations also have those for the key, the rate, JSON and internal errors. */
  errors: readonly ErrorCode[];
  /** Changes a stored 2xx answer before it is sent again for its Idempotency-Key. JSON text in and out. */
  onReplay?: (body: string) => string;
  /** The answer is a stream of server-sent events. */
  isStream?: true;
  /** Leaves the answer out of the request log. */
  keepsNoAnswer?: true;
  example: Example;
}

/** A request that works on the demo. A test runs it with curl. */
interface Example {
  /** IDs from the examples of other operations, which run first. The rest refers to them as `$NAME`. */
  needs?: readonly Need[];
  params?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: Record<string, unknown>;
  upload?: { type: string; text: string };
}

/** Sets the variable `name` to `field` of the answer to the example of `operation`. */
export interface Need {
  name: string;
  operation: string;
  /** Nested fields with dots: `consumer.id`. */
  field: string;
  /** Replaces the example's. */
  body?: Record<string, unknown>;
  /** Replaces the example's. */
  query?: Record<string, string>;
}

/** An operation with its route's method and path. */
export interface OperationRoute extends Operation {
  method: (typeof METHODS)[number];
  /** As OpenAPI writes it: `/v1/keys/{id}`. */
  path: string;
}

/** Which keys can use an operation, in Markdown. */
export function keysSentence({ scope = 'full' }: Pick<Operation, 'scope'>): string {
  return scope === 'agent'
    ? 'Keys with the scope `agent` can use it, too.'
    : 'Only keys with the scope `full` can use it.';
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete'] as const;

/** The parameters of a path, as Fastify names them: `/keys/:id` has `id`. */
type ParamsOf<Path extends string> = Path extends `${string}:${infer Name}/${string}`
  ? Record<Name, string>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown;

/**
 * A request's input by the schemas of its operation. `body` and `query` are parsed when they are read: a handler that
 * finds the object of the path first answers 404 before it complains about a field.
 * @throws ApiError from `body` and `query`, as {@link parseBody} and {@link parseQuery}
 */
export interface Input<Op extends object, Path extends string> {
  readonly params: ParamsOf<Path>;
  readonly body: Op extends { request: infer Schema extends z.ZodType } ? z.output<Schema> : undefined;
  readonly query: Op extends { query: infer Schema extends z.ZodObject } ? z.output<Schema> : undefined;
}

export function inputOf<Op extends Pick<Operation, 'request' | 'query' | 'missing'>, Path extends string>(
  { request: body, query, missing }: Op,
  request: FastifyRequest,
): Input<Op, Path> {
  const input = {
    params: request.params,
    get body() {
      return body && parseBody(body, request.body, missing);
    },
    get query() {
      return query && parseQuery(query, request.query);
    },
  };
  return input as Input<Op, Path>;
}

/**
 * Adds the route of an operation. The handler returns the answer, which has the type of the operation's `response`, or
 * sends it itself and returns the reply.
 * @param route method and path, within the prefix of `app`
 */
export function addOperation<Op extends Operation, Path extends `/${string}`>(
  app: FastifyInstance,
  route: Route<Path>,
  operation: Op,
  handler: (
    input: Input<Op, Path>,
    request: FastifyRequest,
    reply: FastifyReply,
  ) => Promise<z.output<Op['response']> | FastifyReply>,
): void {
  addRoute(app, route, operation, (request, reply) => handler(inputOf(operation, request), request, reply));
}

type Route<Path extends string> = `${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} ${Path}`;

/** Adds the route of an operation whose handler parses the request with {@link inputOf}. */
export function addRoute(
  app: FastifyInstance,
  route: Route<string>,
  operation: Operation,
  handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
): void {
  const [method = '', url = ''] = route.split(' ');
  app.route({
    method,
    url,
    handler: async (request, reply) => {
      const answer = await handler(request, reply);
      // A reply that the handler has sent itself was awaited here until it was sent, and gave undefined.
      if (answer !== undefined) request.answeredId = Object.values(answer as object).find(isMadeHere) ?? null;
      return answer;
    },
    // A HEAD request to a stream would never end.
    exposeHeadRoute: operation.isStream !== true,
    // Before the Idempotency-Key is claimed: the claim keeps hashes of the key and of the body.
    preValidation: async (request) => requireNoCardData(request),
    config: { operation },
  });
}

/** Every route under these paths must have an operation. */
const DESCRIBED = /^\/(?:v1|api)\//;

/**
 * Collects the operations of all routes added from now on, in order. Complete when the app is ready.
 * @throws Error, from `app.get` and the like, for a route of the API without an operation
 */
export function collectOperations(app: FastifyInstance): readonly OperationRoute[] {
  const routes: OperationRoute[] = [];
  app.addHook('onRoute', ({ method, url, config }) => {
    const operation = config?.operation;
    // Fastify adds a HEAD route to each GET.
    if (method === 'HEAD') return;
    if (operation === undefined) {
      if (DESCRIBED.test(url)) throw new Error(`${method} ${url} does not describe itself: config.operation`);
      return;
    }
    const name = METHODS.find((each) => each === String(method).toLowerCase());
    if (name === undefined) throw new Error(`${operation.id} is not one of ${METHODS.join(', ')}`);
    if (routes.some(({ id }) => id === operation.id)) throw new Error(`two routes are the operation ${operation.id}`);
    routes.push({ ...operation, method: name, path: url.replace(/:(\w+)/g, '{$1}') });
  });
  return routes;
}
