/** Validates a request's body or query by its zod schema. The first issue becomes an error that names the field. */
import leven from 'leven';
import { z } from 'zod';
import type { ErrorCode } from '../../contract/error-catalogue.ts';
import { ApiError } from '../../contract/errors.ts';

/** Error codes for a field and everything in it. A full path takes precedence over its first name. */
const OWN_CODES: Record<string, ErrorCode> = {
  ttl_seconds: 'invalid_ttl',
  payment_policy: 'invalid_payment_policy',
  payment_policy_amount_cents: 'invalid_payment_policy_amount_cents',
  processor: 'invalid_processor',
  environment: 'invalid_environment',
  vault: 'invalid_vault',
  url: 'invalid_url',
  'order_source.url': 'invalid_url',
  events: 'invalid_events',
};

/**
 * Names that `param` and the log may repeat: plain, no longer than a metadata key, and neither a card number nor a token
 * or key. (No word of a camel-case name is as long as their random parts and contains a digit.)
 */
export const PLAIN_NAME = /^(?!.*(?:\d{7}|[A-Za-z0-9]{26}|(?=[A-Za-z]*\d)[A-Za-z0-9]{20}))[A-Za-z0-9_-]{1,40}$/;

/**
 * @param query as Fastify parses it: a repeated name has a list
 * @throws ApiError as {@link parseBody}
 */
export function parseQuery<T extends z.ZodObject>(schema: T, query: unknown): z.output<T> {
  const values = query as Record<string, unknown>;
  const repeated = Object.keys(schema.shape).find((name) => Array.isArray(values[name]));
  if (repeated !== undefined) {
    throw new ApiError('invalid_value', {
      param: repeated,
      message: 'The query contains a parameter twice. Send it once.',
    });
  }
  const known = Object.keys(schema.shape);
  const unknown = Object.keys(values).find((name) => !known.includes(name));
  // Otherwise a misspelt filter would look as if it had been applied.
  if (unknown !== undefined) throw unknownParameter(unknown, known);
  // Empty strings are not absent here: a client that pages with an empty `starting_after` would never finish.
  return parse(schema, query, 'missing_required_fields');
}

function unknownParameter(name: string, known: readonly string[], path: readonly string[] = []): ApiError {
  const message = `This operation has no such parameter.${didYouMean(name, known)}`;
  return new ApiError('invalid_value', { param: paramOf([...path, name]), message });
}

/**
 * @param body undefined if there was none
 * @param missing the operation's code for a missing field
 * @throws ApiError `missing`, `invalid_value` or the field's own code, with `param`.
 */
export function parseBody<T extends z.ZodType>(
  schema: T,
  body: unknown,
  missing: ErrorCode = 'missing_required_fields',
): z.output<T> {
  return parse(schema, body === undefined ? {} : withoutAbsent(schema, body), missing);
}

function parse<T extends z.ZodType>(schema: T, body: unknown, missing: ErrorCode): z.output<T> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues.find((each) => !isSafeIntegerLimit(each)) ?? parsed.error.issues[0];
  if (issue === undefined) throw new Error('a schema refused a body without saying why');
  throw issueError(issue, body, missing, schema);
}

/**
 * Removes optional fields that are null or an empty string, also in nested objects: agents' tools fill in fields that
 * they do not know. Null stays if the field accepts it (it resets a merchant's voice), or if an absent field has a large
 * effect: see {@link rejectEmpty}.
 */
function withoutAbsent(schema: z.ZodType, body: unknown): unknown {
  const object = inner(schema);
  if (!(object instanceof z.ZodObject) || !isPlainObject(body)) return body;
  const fields = object.shape as Record<string, z.ZodType>;
  const given = Object.entries(body).flatMap(([name, value]) => {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || REJECTS_EMPTY.has(field)) return [[name, value] as const];
    const saysNothing = value === '' || (value === null && !field.safeParse(null).success);
    const isAbsent = saysNothing && field.safeParse(undefined).success;
    return isAbsent ? [] : [[name, withoutAbsent(field, value)] as const];
  });
  return Object.fromEntries(given);
}

const REJECTS_EMPTY = new WeakSet<z.ZodType>();

/** Marks an optional field whose null or empty string is rejected instead of treated as absent. @returns the schema */
export function rejectEmpty<T extends z.ZodType>(field: T): T {
  REJECTS_EMPTY.add(field);
  return field;
}

/** Whether an absent field of the body has a large effect: see {@link rejectEmpty}. */
export function needsFields(schema: z.ZodType): boolean {
  const object = inner(schema);
  return object instanceof z.ZodObject && Object.values(object.shape).some((field) => REJECTS_EMPTY.has(field));
}

/** The schema behind `optional` and `default`. */
function inner(schema: z.ZodType): z.ZodType {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable;
  return isWrapped ? inner(schema.unwrap() as z.ZodType) : schema;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** zod's own limit for integers. It is reported before the field's tighter limit. */
function isSafeIntegerLimit(issue: z.core.$ZodIssue): boolean {
  return (issue.code === 'too_big' || issue.code === 'too_small') && issue.origin === 'int';
}

function issueError(issue: z.core.$ZodIssue, body: unknown, missing: ErrorCode, schema: z.ZodType): ApiError {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const known = path.length === 0 && schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
    return unknownParameter(issue.keys[0] ?? '', known, path);
  }
  const param = paramOf(path);
  if (isMissing(issue, body)) return new ApiError(missing, { param, message: `\`${param}\` is missing.` });
  const own = OWN_CODES[path.join('.')] ?? OWN_CODES[path[0] ?? ''];
  // The catalogue's message for such a code states the whole rule; the schema's check may state less.
  const message = own !== undefined && issue.code === 'custom' ? {} : { message: `\`${param}\` ${reasonOf(issue)}.` };
  return new ApiError(own ?? 'invalid_value', { param, ...message });
}

const TYPES: Record<string, string> = {
  string: 'a string',
  int: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
};

/** The unit of a value's length. */
const ITEMS = { string: 'characters', array: 'entries' } as const;

const isCounted = (origin: string): origin is keyof typeof ITEMS => Object.hasOwn(ITEMS, origin);

function tooShort(origin: keyof typeof ITEMS, minimum: number | bigint): string {
  return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} ${ITEMS[origin]}`;
}

/** zod's message for a union that has no message. */
const DEFAULT_MESSAGE = 'Invalid input';

/** Completes `<param> …`. Never repeats the value. */
function reasonOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'custom':
      return issue.message;
    case 'invalid_union':
      return issue.message === DEFAULT_MESSAGE ? 'has an invalid value' : issue.message;
    case 'invalid_key': {
      const [ofName] = issue.issues;
      return ofName === undefined ? 'has an invalid name' : `has an invalid name: it ${reasonOf(ofName)}`;
    }
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? `of the type ${issue.expected}`}`;
    case 'too_small':
      if (!issue.message.startsWith('Too small')) return issue.message;
      return isCounted(issue.origin) ? tooShort(issue.origin, issue.minimum) : `must be at least ${issue.minimum}`;
    case 'too_big':
      return isCounted(issue.origin)
        ? `must have at most ${issue.maximum} ${ITEMS[issue.origin]}`
        : `must be at most ${issue.maximum}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format':
      // A schema's own words for its pattern are clearer than the pattern.
      if (!issue.message.startsWith('Invalid ')) return issue.message;
      return issue.format === 'regex' ? `must match ${issue.pattern}` : `must be a valid ${issue.format}`;
    default:
      return 'has an invalid value';
  }
}

/** `metadata.table`: the path as far as its names are plain; `body` where none is. */
export function paramOf(path: readonly string[]): string {
  const odd = path.findIndex((name) => !PLAIN_NAME.test(name));
  const plain = odd === -1 ? path : path.slice(0, odd);
  return plain.length === 0 ? 'body' : plain.join('.');
}

/** What zod calls a field that is not there, by its schema; `invalid_value`: a choice. */
const OF_ABSENCE: ReadonlySet<string> = new Set(['invalid_type', 'invalid_union', 'invalid_value']);

function isMissing(issue: z.core.$ZodIssue, body: unknown): boolean {
  if (issue.code === 'custom') return issue.params?.missing === true;
  return OF_ABSENCE.has(issue.code) && valueAt(body, issue.path) === undefined;
}

function valueAt(body: unknown, path: PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    body,
  );
}

/** The most characters that may differ. */
const MAX_DISTANCE = 3;

/** The known name that a misspelt one is nearest to. @returns null if half of the name or more would differ */
export function nearestName(name: string, known: Iterable<string>): string | null {
  const limit = Math.min(MAX_DISTANCE, Math.floor((name.length - 1) / 2));
  const near = [...known]
    .map((each) => ({ each, distance: leven(name.toLowerCase(), each.toLowerCase(), { maxDistance: limit + 1 }) }))
    .filter(({ distance }) => distance <= limit)
    .sort((one, other) => one.distance - other.distance);
  return near[0]?.each ?? null;
}

/** ` Did you mean …?`, to append to a message. Empty if no known name is near. */
function didYouMean(name: string, known: Iterable<string>): string {
  const nearest = nearestName(name, known);
  return nearest === null ? '' : ` Did you mean ${nearest}?`;
}
