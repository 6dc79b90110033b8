/** Reads from the OpenAPI document what a client library needs: operations and named schemas. */

/** A JSON schema, as far as the generators read it. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  enum?: readonly unknown[];
  const?: unknown;
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema;
}

interface OperationObject {
  operationId: string;
  summary: string;
  parameters?: readonly Parameter[];
  requestBody?: { required: boolean; content: Record<string, { schema?: Schema }> };
  responses: Record<string, { content: Record<string, { schema: Schema }> }>;
}

export interface OpenApiDocument {
  openapi: string;
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
}

export interface ClientOperation {
  /** In snake case: `create_checkout`. */
  id: string;
  summary: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the names of its parameters: `/v1/keys/{id}`. */
  path: string;
  pathParameters: readonly string[];
  query: NamedInput | null;
  body: NamedInput | null;
  /** The content types of a file that is the body; null for other bodies. */
  file: readonly string[] | null;
  /** Name of the schema. */
  response: string;
}

export interface NamedInput {
  /** Name of the schema. */
  name: string;
  isRequired: boolean;
}

export interface ClientDocument {
  operations: readonly ClientOperation[];
  /** Those of the document, and one for the query of each operation that has one. */
  schemas: Record<string, Schema>;
}

const JSON_TYPE = 'application/json';
const SCHEMAS_PATH = '#/components/schemas/';

/**
 * The operations under `/v1` that answer JSON. A stream of events has no answer to return, and the form of
 * `create_checkout` under `/api/tools` is for platforms that send requests themselves.
 */
export function readDocument({ paths, components }: OpenApiDocument): ClientDocument {
  const schemas = { ...components.schemas };
  const operations: ClientOperation[] = [];
  for (const [path, methods] of Object.entries(paths)) {
    if (!path.startsWith('/v1/')) continue;
    for (const [method, operation] of Object.entries(methods)) {
      const response = operation.responses['200']?.content[JSON_TYPE]?.schema;
      if (response === undefined) continue;
      const query = querySchema(operation);
      const queryName = `${pascalCase(operation.operationId)}Query`;
      if (query !== null) schemas[queryName] = query;
      const { requestBody } = operation;
      const isFile = requestBody !== undefined && !Object.hasOwn(requestBody.content, JSON_TYPE);
      operations.push({
        id: operation.operationId,
        summary: operation.summary,
        method: method.toUpperCase() as ClientOperation['method'],
        path,
        pathParameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
        query: query === null ? null : { name: queryName, isRequired: (query.required ?? []).length > 0 },
        body:
          isFile || requestBody === undefined
            ? null
            : { name: nameOf(requestBody.content[JSON_TYPE]?.schema), isRequired: requestBody.required },
        file: isFile ? Object.keys(requestBody.content) : null,
        response: nameOf(response),
      });
    }
  }
  return { operations, schemas };
}

function querySchema({ parameters = [], summary }: OperationObject): Schema | null {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  if (inQuery.length === 0) return null;
  return {
    type: 'object',
    description: `The query of: ${summary}.`,
    properties: Object.fromEntries(
      inQuery.map(({ name, description, schema }) => [name, { ...schema, ...(description && { description }) }]),
    ),
    required: inQuery.filter(({ required }) => required).map(({ name }) => name),
  };
}

/** The name of a schema that is a reference. @throws Error for any other schema */
export function nameOf(schema: Schema | undefined): string {
  if (!schema?.$ref?.startsWith(SCHEMAS_PATH)) throw new Error(`a schema has no name: ${JSON.stringify(schema)}`);
  return schema.$ref.slice(SCHEMAS_PATH.length);
}

export function pascalCase(snake: string): string {
  return snake.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function camelCase(snake: string): string {
  return snake.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
