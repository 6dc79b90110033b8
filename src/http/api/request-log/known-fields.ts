/** The fields of an operation's schema. The request log keeps only their values: others could contain anything. */
import { z } from 'zod';
import type { Operation } from '../reference/operation.ts';

/** `map`: entries with any name, such as metadata. `value`: a string, number or boolean. */
export type Known =
  | { kind: 'object'; fields: ReadonlyMap<string, Known> }
  | { kind: 'list'; entry: Known }
  | { kind: 'map'; entry: Known }
  | { kind: 'value' };
type KnownFields = Extract<Known, { kind: 'object' }>;

const NONE: KnownFields = { kind: 'object', fields: new Map() };
const CACHE = new WeakMap<z.ZodType, Known>();

/** The fields of an operation's body or query. Empty if it has none. */
export function knownFields(
  operation: Pick<Operation, 'request' | 'query'> | undefined,
  of: 'request' | 'query',
): Known {
  const schema = operation?.[of];
  return schema === undefined ? NONE : knownOf(schema);
}

function knownOf(schema: z.ZodType): Known {
  const before = CACHE.get(schema);
  if (before !== undefined) return before;
  const known = readSchema(schema);
  CACHE.set(schema, known);
  return known;
}

function readSchema(schema: z.ZodType): Known {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return knownOf(schema.unwrap() as z.ZodType);
  }
  if (schema instanceof z.ZodPipe) return knownOf(schema.in as z.ZodType);
  if (schema instanceof z.ZodObject) {
    const fields = Object.entries(schema.shape as Record<string, z.ZodType>);
    return { kind: 'object', fields: new Map(fields.map(([name, field]) => [name, knownOf(field)])) };
  }
  if (schema instanceof z.ZodArray) return { kind: 'list', entry: knownOf(schema.element as z.ZodType) };
  if (schema instanceof z.ZodRecord) return { kind: 'map', entry: knownOf(schema.valueType as z.ZodType) };
  if (schema instanceof z.ZodUnion) return eitherOf(schema.options.map((option) => knownOf(option as z.ZodType)));
  return { kind: 'value' };
}

/** An object with the fields of all options. Without objects, the first option. */
function eitherOf(options: readonly Known[]): Known {
  const objects = options.filter((option) => option.kind === 'object');
  if (objects.length === 0) return options[0] ?? { kind: 'value' };
  return { kind: 'object', fields: new Map(objects.flatMap(({ fields }) => [...fields])) };
}
