/** zod schemas as JSON Schema 2020-12, the dialect of OpenAPI 3.1; named ones once, under `components`. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A piece of the OpenAPI document: a schema, or what holds some. */
export type JsonSchema = Record<string, unknown>;

/** `input`: what a client may send. `output`: what it gets. */
export type Direction = 'input' | 'output';

/** Where references to named schemas lead. */
export const PLACE = '#/components/schemas/';

/** The schemas of one document. @throws Error, from both methods, where two that differ have one name */
export class Schemas {
  readonly #named = new Map<string, JsonSchema>();

  /** All that have been named, in the order of their names. */
  get components(): Record<string, JsonSchema> {
    return Object.fromEntries([...this.#named].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** A reference to `schema`, under its own name (`.meta({ id })`) or else `name`. */
  reference(schema: z.ZodType, name: string, direction: Direction): JsonSchema {
    const root = this.inline(schema, direction);
    // One with a name of its own is among the named ones already.
    if (typeof root.$ref === 'string') return root;
    this.#add(name, root);
    return { $ref: PLACE + name };
  }

  /** The schema as it stands; the named ones within it by reference. */
  inline(schema: z.ZodType, direction: Direction): JsonSchema {
    const { $schema: _, $defs, id: _name, ...root } = rewritten(toJson(schema, direction)) as JsonSchema;
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

function toJson(schema: z.ZodType, direction: Direction): unknown {
  return z.toJSONSchema(schema, {
    io: direction,
    target: 'draft-2020-12',
    // A phone number is transformed on its way in; what is sent is described all the same.
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => simplify(zodSchema, jsonSchema),
  });
}

function simplify(zodSchema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema): void {
  // zod drops those of what it transforms, for it takes them for outputs: ours are what a client writes.
  const { examples } = z.globalRegistry.get(zodSchema) ?? {};
  if (Array.isArray(examples)) json.examples = examples;
  if (json.type === 'integer') {
    if (json.minimum === Number.MIN_SAFE_INTEGER) delete json.minimum;
    if (json.maximum === Number.MAX_SAFE_INTEGER) delete json.maximum;
  }
  if (json.format === 'date-time') delete json.pattern;
  nullable(json);
  if (json.propertyNames !== undefined && Object.keys(json.propertyNames).join() === 'type') delete json.propertyNames;
  // An answer may grow a field: only what is strict says that it has no other.
  if (zodSchema instanceof z.ZodObject && zodSchema.def.catchall === undefined) delete json.additionalProperties;
}

/** `anyOf: [x, null]`, where x is one plain type, reads better as a type of its own: `["string", "null"]`. */
function nullable(json: z.core.JSONSchema.BaseSchema): void {
  const [inner, none, ...more] = json.anyOf ?? [];
  if (inner === undefined || none?.type !== 'null' || more.length > 0) return;
  if (inner.$ref !== undefined || typeof inner.type !== 'string' || inner.type === 'object') return;
  const { type, ...rest } = inner;
  delete json.anyOf;
  Object.assign(json, rest, { type: [type, 'null'] }, rest.enum !== undefined && { enum: [...rest.enum, null] });
}

/** zod keeps definitions under `$defs`; OpenAPI under `components`. */
function rewritten(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(rewritten);
  if (typeof json !== 'object' || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([name, value]) => [
      name,
      name === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', PLACE) : rewritten(value),
    ]),
  );
}
