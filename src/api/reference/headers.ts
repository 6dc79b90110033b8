/** Headers in the reference: those of every request and answer, and those of webhook deliveries. */
import type { JsonSchema } from './schema.ts';

/** The request header of every POST. */
export const IDEMPOTENCY_KEY: JsonSchema = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: `Makes the request safe to send again: for 24 hours the same key with the same request, its body the same character for character, gives the first answer
again, byte for byte, and nothing happens twice. 1 to 255 printable characters of your own, new for each thing that you want done, such as a
UUID. It holds for this operation, account and mode. With other details: 409 \`charge_details_mismatch\`. While the first request is
still being worked on, this one waits up to 10 seconds, then answers the same 409 with \`Retry-After\` and the advice \`try_again_later\`. Answers of 429 and 5xx are not kept, nor is \`order_lookup_failed\`, nor that a processor could not be asked. Every other answer is, an error too: what comes to another end later wants a new key.`,
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
    'Names the request, as `error.request_id` does: quote it when you ask for help.',
    { type: 'string' },
    'req_6majmj8hdw8gdrntcg6be6wnt6',
  ),
  'RateLimit-Limit': header('How many requests the key may send at once.', count, 200),
  'RateLimit-Remaining': header('How many of them are left now.', count, 199),
  'RateLimit-Reset': header('Seconds until all of them are back.', count, 1),
  'RateLimit-Policy': header('The limit, and in how many seconds it fills from empty.', { type: 'string' }, '200;w=2'),
  'WWW-Authenticate': header('How to authenticate: with a Bearer key.', { type: 'string' }, 'Bearer realm="ringkey"'),
  'Retry-After': header('Seconds to wait before sending it again.', count, 1),
  'Idempotent-Replayed': header(
    '`true` on an answer given again for its `Idempotency-Key`; else absent.',
    { type: 'string', enum: ['true'] },
    'true',
  ),
};

/** References to the headers that an answer of this status may have. */
export function answerHeaders(status: number, isPost: boolean): JsonSchema {
  const names = ['X-Request-Id', 'RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset', 'RateLimit-Policy'];
  if (status === 401) names.push('WWW-Authenticate');
  if (status === 429 || status === 503 || (status === 409 && isPost)) names.push('Retry-After');
  if (isPost && status < 500 && status !== 429) names.push('Idempotent-Replayed');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const delivery = (name: string, description: string, example: string): JsonSchema => ({
  ...{ name, in: 'header', required: true },
  ...{ description, schema: { type: 'string' }, example },
});

/** Of every event that is sent to an endpoint (Standard Webhooks). */
export const DELIVERY_HEADERS: readonly JsonSchema[] = [
  delivery('webhook-id', "The event's `id`, the same on every attempt.", 'evt_p8a8yfh2n8m5xf373fkkibj7j8'),
  delivery('webhook-timestamp', 'When this attempt was made, in Unix seconds.', '1795176000'),
  delivery(
    'webhook-signature',
    '`v1,` and the base64 of an HMAC-SHA256, by the endpoint’s secret, over id, timestamp and body, joined by dots. Two of them, with a blank between, while a rolled secret is still valid.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];
