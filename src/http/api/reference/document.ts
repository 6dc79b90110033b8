/**
 * The OpenAPI 3.1 document, generated from operations, zod schemas and the error catalogue. (@fastify/swagger supports
 * neither webhooks nor code samples, nor shared examples and headers of errors; most of this code would be its input.)
 */
import { z } from 'zod';
import { CallEventResource } from '../../../contract/call-events.ts';
import { ERROR_CODES, type ErrorCode } from '../../../contract/error-catalogue.ts';
import { ErrorObject } from '../../../contract/error-object.ts';
import { errorEntry } from '../../../contract/errors.ts';
import { KEY_SCOPES } from '../../../domain/key.ts';
import { EVENT_STREAM } from '../plugins/metrics.ts';
import { EventResource } from '../routes/events.ts';
import { type CurlPlace, curlOf } from './curl.ts';
import { byStatus, errorExample, errorsOf } from './errors.ts';
import { exampleOf, requestExample } from './example.ts';
import { ANSWER_HEADERS, answerHeaders, DELIVERY_HEADERS, IDEMPOTENCY_KEY } from './headers.ts';
import { GROUPS, keysSentence, type OperationRoute } from './operation.ts';
import { type JsonSchema, Schemas } from './schema.ts';

/** The parts of the document that do not come from operations. */
interface DocumentOptions extends CurlPlace {
  /** Base of `doc_url`. */
  docsUrl: string;
  /** The events sent to webhook endpoints. */
  events?: readonly { type: string; description: string; example: unknown }[];
  version: string;
}

/** @param baseUrl of the service, which also serves the pages if `docsUrl` is elsewhere */
const introduction = (baseUrl: string) => `Ringkey takes a card payment during a phone call, for a voice agent.

1. Create a checkout with **create_checkout**. It returns the merchant, the amount, whether it must be paid on this
call (\`payment_required\`), and the caller's cards.
2. Charge a saved card that the caller chose (**charge**), text a pay link (**send_link**), or transfer the call to
\`transfer_to\`. There, the caller enters the card on the keypad. The call returns to \`return_to\` with the outcome
in SIP headers.
3. The signed webhook \`checkout.completed\` is the source of truth for the outcome.

Test keys (\`rk_test_…\`) use the sandbox, live keys (\`rk_live_…\`) real merchants. Paths and objects are the same.
Amounts are integers in the currency's minor unit. Times are ISO 8601, in UTC. Every answer has an \`X-Request-Id\`.
Every error answer is \`{"error": {…}}\`. Say \`agent_message\` word for word; if it is null, say nothing.

Agents that speak the Model Context Protocol use the operations for agents as tools, at \`POST /mcp\`, with the same key.

Pages: [Quickstart](${baseUrl}/docs/quickstart) · [Voice platforms](${baseUrl}/docs/voice-platforms) ·
[MCP](${baseUrl}/docs/mcp) · [Error
codes](${baseUrl}/docs/api-reference/error-codes) · [Events and webhooks](${baseUrl}/docs/events) · [SIP
headers](${baseUrl}/docs/sip-headers) · [Test cards](${baseUrl}/docs/test-cards) ·
[Screening](${baseUrl}/docs/screening) · [Going live](${baseUrl}/docs/going-live) · [All operations with
curl](${baseUrl}/docs)`;

const ErrorAnswer = z.object({ error: ErrorObject });

export function openApiDocument(routes: readonly OperationRoute[], options: DocumentOptions): JsonSchema {
  const schemas = new Schemas();
  const errorSchema = schemas.reference(ErrorAnswer, 'Error', 'output');
  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method]: operationObject(route, { routes, schemas, errorSchema, options }),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Ringkey', version: options.version, description: introduction(options.baseUrl) },
    servers: [{ url: options.baseUrl }],
    security: [{ key: [] }],
    tags: Object.entries(GROUPS)
      .filter(([name]) => routes.some(({ group }) => group === name))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks: webhooks(options, schemas),
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: `An API key: \`Authorization: Bearer rk_test_…\`. Its prefix determines the mode. It can create charges, so keep it
on your server. Never put it into client code, a prompt, a transcript, or anything that a model writes. If a voice
platform stores the key, use one with the scope \`agent\`: it can take payments and do nothing else. If the keyless
demo is on, a request without the header uses the demo's account in test mode.`,
        },
      },
      headers: ANSWER_HEADERS,
      examples: Object.fromEntries(
        ERROR_CODES.map((code) => [
          code,
          { summary: errorEntry(code).message, value: errorExample(code, options.docsUrl) },
        ]),
      ),
      schemas: schemas.components,
    },
  };
}

interface Context {
  routes: readonly OperationRoute[];
  schemas: Schemas;
  errorSchema: JsonSchema;
  options: DocumentOptions;
}

function operationObject(route: OperationRoute, context: Context): JsonSchema {
  const { schemas, routes, options } = context;
  const name = pascalCase(route.id);
  const example = requestExample(route, routes, schemas);
  const parameters = parametersOf(route, schemas);
  return {
    operationId: route.id,
    tags: [route.group],
    summary: route.summary,
    description: `${route.description}\n\n${keysSentence(route)}`,
    // Since OpenAPI 3.1, with the scopes of the key, one of which is required.
    security: (route.scope === 'agent' ? KEY_SCOPES : ['full']).map((scope) => ({ key: [scope] })),
    ...(parameters.length > 0 && { parameters }),
    ...(route.request !== undefined && {
      requestBody: {
        required: !route.request.safeParse({}).success,
        content: json(schemas.reference(route.request, `${name}Request`, 'input'), {
          ...(example.body !== undefined && { example: example.body }),
        }),
      },
    }),
    ...(route.upload !== undefined && {
      requestBody: { required: true, content: files(route.upload, route.example.upload) },
    }),
    responses: {
      [route.status ?? 200]: successResponse(route, name, schemas),
      ...Object.fromEntries(
        byStatus(errorsOf(route)).map(([status, codes]) => [status, errorResponse(status, codes, route, context)]),
      ),
      503: busyResponse(context),
    },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(route, routes, options) }],
  };
}

/** Each event type, as a request to an endpoint. */
function webhooks({ events = [] }: DocumentOptions, schemas: Schemas): Record<string, JsonSchema> {
  const schemaOf = (type: string) =>
    type.startsWith('call.')
      ? schemas.reference(CallEventResource, 'CallEvent', 'output')
      : schemas.reference(EventResource, 'Event', 'output');
  const one = ({ type, description, example }: (typeof events)[number]) => ({
    post: {
      operationId: `on_${type.replace('.', '_')}`,
      tags: ['Events'],
      summary: type,
      description,
      security: [],
      parameters: DELIVERY_HEADERS,
      requestBody: { required: true, content: json(schemaOf(type), { example }) },
      responses: { '2XX': { description: received(type) } },
    },
  });
  return Object.fromEntries(events.map((event) => [event.type, one(event)]));
}

const received = (type: string) =>
  type.startsWith('call.')
    ? 'The event was received. It is not sent again after any other answer.'
    : 'The event was received. After any other answer, it is sent again.';

function successResponse(route: OperationRoute, name: string, schemas: Schemas): JsonSchema {
  const schema = schemas.reference(route.response, `${name}Response`, 'output');
  return {
    description: route.answers,
    headers: answerHeaders(route.status ?? 200, route.method === 'post', route.request !== undefined),
    content: {
      [route.isStream === true ? EVENT_STREAM : 'application/json']: {
        schema,
        example: exampleOf(schema, schemas.components),
      },
    },
  };
}

/** Any operation can answer 503: during shutdown, under overload, or after the time limit. */
function busyResponse({ errorSchema }: Context): JsonSchema {
  return {
    description:
      '`internal_error`, with `Retry-After`: the service is restarting or overloaded, or could not finish this request in time. Send it again; send a POST with the same `Idempotency-Key`.',
    headers: answerHeaders(503, false),
    content: json(errorSchema, { examples: errorExamples(['internal_error']) }),
  };
}

function errorResponse(
  status: number,
  codes: readonly ErrorCode[],
  route: OperationRoute,
  { errorSchema, options }: Context,
): JsonSchema {
  const page = `${options.docsUrl}/api-reference/error-codes`;
  return {
    description: codes.map((code) => `\`${code}\`: ${errorEntry(code).message} [More](${page}#${code})`).join('\n\n'),
    headers: answerHeaders(status, route.method === 'post'),
    content: json(errorSchema, { examples: errorExamples(codes) }),
  };
}

const errorExamples = (codes: readonly ErrorCode[]) =>
  Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }]));

/** OpenAPI 3.1, 4.8.14.2: the content type says everything. */
const files = (types: readonly string[], example: { type: string; text: string } | undefined) =>
  Object.fromEntries(types.map((type) => [type, type === example?.type ? { example: example.text } : {}]));

const json = (schema: JsonSchema, more: JsonSchema = {}) => ({ 'application/json': { schema, ...more } });

function parametersOf(route: OperationRoute, schemas: Schemas): JsonSchema[] {
  const described = fieldsOf(route.params, schemas);
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => {
    return parameter(
      'path',
      described.find((field) => field.name === name) ?? { name, schema: { type: 'string' } },
      true,
    );
  });
  return [
    ...inPath,
    ...fieldsOf(route.query, schemas).map((field) => parameter('query', field)),
    ...fieldsOf(route.headers, schemas).map((field) => parameter('header', field)),
    ...(route.method === 'post' ? [IDEMPOTENCY_KEY] : []),
  ];
}

interface Field {
  name: string;
  schema: JsonSchema;
  required?: boolean;
}

function fieldsOf(schema: z.ZodObject | undefined, schemas: Schemas): Field[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemas.inline(schema, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, field]) => ({
    name,
    schema: field,
    required: required.includes(name),
  }));
}

function parameter(place: string, { name, schema, required: isRequired }: Field, required = isRequired): JsonSchema {
  const { description, examples, ...rest } = schema as JsonSchema & { examples?: unknown[] };
  return {
    name,
    in: place,
    required,
    ...(description !== undefined && { description }),
    schema: rest,
    ...(examples !== undefined && { example: examples[0] }),
  };
}

function pascalCase(snake: string): string {
  return snake.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
