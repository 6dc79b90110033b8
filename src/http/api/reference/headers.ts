/** Headers of requests, answers and webhook deliveries in the reference. */
import type { JsonSchema } from './schema.ts';

/** The request header of every POST. */
export const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Makes it safe to send the request again. For 24 hours, the same key with exactly the same body returns the first
answer, byte for byte, and nothing is done twice.

Send 1 to 255 printable characters, such as a UUID, and a new key for each new action. A key is valid for one
operation, account and mode. If the details differ, returns 409 \`charge_details_mismatch\`. While the first request
is in progress, the second one waits up to 10 seconds. It then returns the same 409 with \`Retry-After\` and the
advice \`try_again_later\`.

All answers are stored, including errors. The exceptions are 429, 5xx, \`order_lookup_failed\`, and errors because a
processor could not be reached. To try again after any other error, use a new key.`,
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  example: '6f1c9a52-5b0e-4f0c-9c39-2f3f0f8b7a10',
};

const header = (description: string, schema: JsonSchema, example: unknown): JsonSchema => ({
  description,
  schema,
  example,
});
const count: JsonSchema = { type: 'integer', minimum: 0 };

/** Under `components.headers`, by their own names. */
export const ANSWER_HEADERS: Record<string, JsonSchema> = {
  'X-Request-Id': header(
    'Identifies the request, as `error.request_id` does. Quote it when you ask for help.',
    { type: 'string' },
    'req_6majmj8hdw8gdrntcg6be6wnt6',
  ),
  'RateLimit-Limit': header('How many requests the key can send at once.', count, 200),
  'RateLimit-Remaining': header('How many of these requests are left now.', count, 199),
  'RateLimit-Reset': header('Seconds until the full limit is available again.', count, 1),
  'RateLimit-Policy': header(
    'The limit, and the number of seconds in which it refills completely.',
    { type: 'string' },
    '200;w=2',
  ),
  'WWW-Authenticate': header('How to authenticate: with a Bearer key.', { type: 'string' }, 'Bearer realm="ringkey"'),
  'Retry-After': header('Seconds to wait before you send the request again.', count, 1),
  'X-Ringkey-Unknown-Fields': header(
    'Fields of the body that the operation does not know and ignored, at most ten, each with the closest known name. Absent if all fields are known. `charge` rejects unknown fields instead.',
    { type: 'string' },
    'callerphone (did you mean caller_phone?)',
  ),
  'Idempotent-Replayed': header(
    '`true` if this is the stored answer for the `Idempotency-Key`. Otherwise absent.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
};

/** References to the headers that an answer with this status can have. */
export function answerHeaders(status: number, isPost: boolean, hasBody = isPost): JsonSchema {
  const names = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503 || (status === 409 && isPost)) names.push('Retry-After');
  if (isPost && status < 500 && status !== 429) names.push('Idempotent-Replayed');
  if (hasBody && status < 300) names.push('X-Ringkey-Unknown-Fields');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const delivery = (name: string, description: string, example: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
});

/** The headers of a delivery (Standard Webhooks). */
export const DELIVERY_HEADERS: readonly JsonSchema[] = [
  delivery('webhook-id', "The event's `id`. It is the same on every attempt.", 'evt_p8a8yfh2n8m5xf373fkkibj7j8'),
  delivery('webhook-timestamp', 'The time of this attempt, in Unix seconds.', '1795176000'),
  delivery(
    'webhook-signature',
    '`v1,` and the base64 of an HMAC-SHA256 with the endpoint’s signing secret over ID, timestamp and body, joined by dots. While an old secret is still valid after a roll, the header has two signatures, separated by a space.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];
