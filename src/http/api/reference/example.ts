/** Examples of requests and answers, built from the examples of their fields. Fields without one are left out. */
import type { Operation, OperationRoute } from './operation.ts';
import { type JsonSchema, SCHEMAS_PATH, type Schemas } from './schema.ts';

type Components = Record<string, JsonSchema>;

/** Omits optional fields. `undefined` if the schema has no example. */
export function exampleOf(schema: JsonSchema, components: Components): unknown {
  const { examples, $ref, anyOf, oneOf, type, properties, items } = schema as {
    examples?: unknown[];
    $ref?: string;
    anyOf?: JsonSchema[];
    oneOf?: JsonSchema[];
    type?: string | string[];
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
  };
  if (examples !== undefined) return examples[0];
  if ($ref !== undefined) return exampleOf(components[$ref.slice(SCHEMAS_PATH.length)] ?? {}, components);
  const [first] = anyOf ?? oneOf ?? [];
  if (first !== undefined) return exampleOf(first, components);
  if (items !== undefined) return [exampleOf(items, components)];
  return properties === undefined && type !== 'object' ? undefined : objectOf(schema, components);
}

function objectOf({ properties, required }: JsonSchema, components: Components): object {
  const names = (required ?? []) as string[];
  const fields = names.map((name) => [name, exampleOf((properties as Components)[name] ?? {}, components)]);
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** The operation's example request, with IDs in place of the variables of its curl command. */
export function requestExample(
  route: OperationRoute,
  routes: readonly OperationRoute[],
  schemas: Schemas,
): Operation['example'] {
  const ids = new Map(
    (route.example.needs ?? []).map((need) => {
      const source = routes.find(({ id }) => id === need.operation);
      if (source === undefined) throw new Error(`the example of ${route.id} needs ${need.operation}, no operation`);
      const answer = exampleOf(schemas.inline(source.response, 'output'), schemas.components);
      const field = need.field.split('.').reduce((value, name) => (value as Record<string, unknown>)[name], answer);
      return [need.name, String(field)];
    }),
  );
  const filled = JSON.stringify(route.example).replace(
    /\$([A-Z][A-Z_0-9]*)/g,
    (_, name: string) => ids.get(name) ?? '',
  );
  return JSON.parse(filled) as Operation['example'];
}
