/** The reference has a description for everything, and valid examples. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { EVENT_TYPES } from '../../src/db/events/events.ts';
import { ATTENTION_EVENT_TYPES } from '../../src/domain/attention.ts';
import { CALL_EVENT_TYPES } from '../../src/domain/call-progress.ts';
import { startTestApi, type TestApi } from './test-api.ts';

interface Schema {
  $ref?: string;
  description?: string;
  examples?: unknown[];
  type?: string | string[];
  const?: unknown;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: Schema | boolean;
}

interface Shown {
  schema: Schema;
  example?: unknown;
  examples?: Record<string, Schema>;
}

type Content = Partial<Record<'application/json' | 'text/event-stream', Shown>>;

interface Operation {
  operationId: string;
  summary?: string;
  description?: string;
  parameters?: { name: string; in: string; description?: string; example?: unknown; schema: Schema }[];
  requestBody?: { content: Content };
  responses: Record<string, { description?: string; headers?: Record<string, Schema>; content: Content }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  tags: { name: string; description?: string }[];
  components: Record<'schemas' | 'headers' | 'examples', Record<string, Schema>>;
}

let api: TestApi;
let document: Document;
let operations: Operation[];
beforeAll(async () => {
  api = await startTestApi();
  document = (await (await fetch(`${api.url}/openapi.json`)).json()) as Document;
  operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
});
afterAll(() => api.close());

/** A sentence, not only a name. */
const SENTENCE = /^.{10,}[.:)]$/s;

test('describes every operation and group', () => {
  expect(operations.length).toBeGreaterThan(25);
  for (const { operationId, summary, description } of operations) {
    expect(summary, operationId).toMatch(/^[A-Z].{4,59}$/);
    expect(description, operationId).toMatch(SENTENCE);
  }
  for (const { name, description } of document.tags) expect(description, name).toMatch(SENTENCE);
});

test('has a description and a valid example for every parameter', () => {
  for (const { operationId, parameters = [] } of operations) {
    for (const { name, description, example, schema } of parameters) {
      expect(description, `${operationId} ${name}`).toMatch(SENTENCE);
      expectFits(example, schema, `${operationId} ${name}`);
    }
  }
});

test('has a description for every field, and an example for every field that is not an object', () => {
  const seen = Object.entries(document.components.schemas).flatMap(([name, schema]) => fieldsOf(name, schema));
  expect(seen.length).toBeGreaterThan(150);
  const silent = seen.filter(([, field]) => !SENTENCE.test(said(field)));
  expect(silent.map(([path]) => path)).toEqual([]);
  const withoutExample = seen.filter(([, field]) => isLeaf(field) && (field.examples ?? []).length === 0);
  expect(withoutExample.map(([path]) => path)).toEqual([]);
  for (const [path, field] of seen) for (const example of field.examples ?? []) expectFits(example, field, path);
});

test('has a description and a valid example for every answer', () => {
  for (const { operationId, requestBody, responses } of operations) {
    const files = Object.entries(requestBody?.content ?? {}).filter(([type]) => type.startsWith('image/'));
    if (files.length > 0) expect(files.map(([, { example }]) => example)).toContainEqual(expect.any(String));
    else if (requestBody !== undefined) expectShown(requestBody.content, `${operationId} request`);
    for (const [status, { description, content }] of Object.entries(responses)) {
      expect(description, `${operationId} ${status}`).toMatch(SENTENCE);
      expectShown(content, `${operationId} ${status}`);
    }
  }
});

test('describes the headers of every answer', async () => {
  for (const { operationId, responses } of operations) {
    for (const [status, { headers = {} }] of Object.entries(responses)) {
      const names = Object.keys(headers);
      expect(names, `${operationId} ${status}`).toEqual(
        expect.arrayContaining(['X-Request-Id', 'RateLimit-Remaining']),
      );
      expect(names.includes('Retry-After') || status !== '429', operationId).toBe(true);
    }
  }
  for (const [name, { description }] of Object.entries(document.components.headers)) {
    expect(description, name).toMatch(SENTENCE);
  }
  const { headers } = await api.get('/v1/merchants');
  for (const name of [
    'X-Request-Id',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'RateLimit-Policy',
  ]) {
    expect(headers.get(name), name).not.toBeNull();
    expect(document.components.headers, name).toHaveProperty([name]);
  }
});

test('describes every event type, with an example as it is sent', () => {
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_TYPES, ...ATTENTION_EVENT_TYPES, ...CALL_EVENT_TYPES]);
  for (const [kind, { post }] of Object.entries(document.webhooks)) {
    expect(post.description, kind).toMatch(SENTENCE);
    if (post.requestBody === undefined) throw new Error(`${kind} has no body`);
    expectShown(post.requestBody.content, kind);
    expect(post.requestBody.content['application/json']?.example).toMatchObject({ type: kind });
    expect(post.parameters?.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
  }
});

/** All properties by path, including nested ones. Named schemas are visited where they are defined. */
function fieldsOf(path: string, schema: Schema): [path: string, field: Schema][] {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, field]): [string, Schema][] => [
    [`${path}.${name}`, field],
    ...fieldsOf(`${path}.${name}`, field),
  ]);
  const inner = [schema.items, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...own, ...inner.flatMap((each) => (each === undefined ? [] : fieldsOf(path, each)))];
}

const PLACE = '#/components/schemas/';

function said({ description, $ref }: Schema): string {
  return description ?? document.components.schemas[$ref?.slice(PLACE.length) ?? '']?.description ?? '';
}

/** A field with fields of its own needs no example. */
function isLeaf(field: Schema): boolean {
  const parts = [
    field,
    ...(field.anyOf ?? []),
    ...(field.oneOf ?? []),
    ...(field.items === undefined ? [] : [field.items]),
  ];
  return parts.every(({ $ref, properties }) => $ref === undefined && properties === undefined);
}

const NOT_SHOWN = { schema: {}, example: undefined, examples: undefined };

function expectShown(content: Content, where: string): void {
  const { schema, example, examples } = content['application/json'] ?? content['text/event-stream'] ?? NOT_SHOWN;
  const shown = Object.values(examples ?? {}).map(({ $ref }) => {
    const named = document.components.examples[$ref?.split('/').at(-1) ?? ''];
    return (named as { value?: unknown } | undefined)?.value;
  });
  for (const each of examples === undefined ? [example] : shown) expectFits(each, schema, where);
}

/** Validates with a schema built from the document only, like a client generator. */
function expectFits(example: unknown, schema: Schema, where: string): void {
  expect(example, `${where} has no example`).toBeDefined();
  const own = JSON.stringify(schema);
  const whole = own.includes(PLACE) ? JSON.stringify({ ...schema, $defs: document.components.schemas }) : own;
  const { error } = z.fromJSONSchema(JSON.parse(whole.replaceAll(PLACE, '#/$defs/'))).safeParse(example);
  expect(error?.issues ?? [], where).toEqual([]);
}
