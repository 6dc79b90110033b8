/** zod schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1. Named schemas are under `components`. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A part of the OpenAPI document. */
export type JsonSchema = Record<string, unknown>;

/** `input`: what a client can send. `output`: the answer. */
type Direction = 'input' | 'output';

/** Prefix of a reference to a named schema. */
export const SCHEMAS_PATH = '#/components/schemas/';

/** The schemas of a document. Its methods throw if two different schemas have the same name. */
export class Schemas {
  readonly #named = new Map<string, JsonSchema>();

  /** All named schemas, by name. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to `schema` by its own name (`.meta({ id })`), otherwise by `name`. */
  reference(schema: z.ZodType, name: string, direction: Direction): JsonSchema {
    const root = this.inline(schema, direction);
    if (typeof root.$ref === 'string') return root;
    this.#add(name, root);
    return { $ref: SCHEMAS_PATH + name };
  }

  /** The schema itself, with references to named schemas in it. */
  inline(schema: z.ZodType, direction: Direction): JsonSchema {
    const { $schema: _, $defs, id: _name, ...root } = toJson(schema, direction);
    for (const [name, { id: _same, ...definition }] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      this.#add(name, definition);
    }
    return root;
  }

  #add(name: string, schema: JsonSchema): void {
    const known = this.#named.get(name);
    if (known !== undefined && !isDeepStrictEqual(known, schema)) {
      throw new Error(`two schemas are named ${name}`);
    }
    this.#named.set(name, schema);
  }
}

/** A schema without references: for tools of agents, whose definitions stand alone. */
export function standaloneSchema(schema: z.ZodType, direction: Direction): JsonSchema {
  const schemas = new Schemas();
  const root = schemas.inline(schema, direction);
  return withoutReferences(root, schemas.components) as JsonSchema;
}

function withoutReferences(value: unknown, components: Readonly<Record<string, JsonSchema>>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => withoutReferences(each, components));
  const { $ref, ...rest } = value as JsonSchema;
  const named = typeof $ref === 'string' ? components[$ref.slice(SCHEMAS_PATH.length)] : undefined;
  const entries = Object.entries(Object.assign({}, named, rest));
  return Object.fromEntries(entries.map(([name, each]) => [name, withoutReferences(each, components)]));
}

function toJson(schema: z.ZodType, direction: Direction): JsonSchema {
  const json = z.toJSONSchema(schema, {
    io: direction,
    target: 'draft-2020-12',
    // Transformed values, such as phone numbers, are described as the client sends them.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => simplify(zodSchema, jsonSchema),
  });
  // zod has named schemas under `$defs`, OpenAPI under `components`.
  return JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', `"${SCHEMAS_PATH}`)) as JsonSchema;
}

function simplify(zodSchema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema): void {
  // zod drops the examples of transformed values as if they were outputs. Ours are inputs.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) json.examples = examples;
  if (json.type === 'integer') {
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  }
  if (json.format === 'date-time') delete json.pattern;
  writeNullAsType(json);
  if (json.propertyNames !== undefined && Object.keys(json.propertyNames).join() === 'type') delete json.propertyNames;
  // Answers can get new fields, so only strict objects exclude others.
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete json.additionalProperties;
}

/** Writes `anyOf: [x, null]` as `type: ["string", "null"]` if x is a plain type. */
function writeNullAsType(json: z.core.JSONSchema.BaseSchema): void {
  const [inner, none, ...more] = json.anyOf ?? [];
  if (inner === undefined || none?.type !== 'null' || more.length > 0) return;
  if (inner.$ref !== undefined || typeof inner.type !== 'string' || inner.type === 'object') return;
  const { type, ...rest } = inner;
  delete json.anyOf;
  Object.assign(json, rest, { type: [type, 'null'] }, rest.enum !== undefined && { enum: [...rest.enum, null] });
}
