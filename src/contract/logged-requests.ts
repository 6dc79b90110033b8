/** Requests of the request log as REST shows them. */
import { z } from 'zod';
import type { LoggedRequest } from '../domain/logged-request.ts';
import { FIELDS, field } from './fields.ts';

const BODY_RULES =
  'JSON as a string, at most 8,192 characters. Longer text is cut and ends in `… [cut]`. Secrets, card-like digits, names and email addresses are replaced with `[cut]`, and phone numbers are masked.';

export const RequestResource = z
  .object({
    request_id: field(
      z.string(),
      'The request ID, as in the `X-Request-Id` header of its answer.',
      'req_6majmj8hdw8gdrntcg6be6wnt6',
    ),
    method: field(z.string(), 'The HTTP method.', 'POST'),
    path: field(
      z.string().nullable(),
      'The path of the operation, as written in this reference. Null if no operation matches.',
      '/v1/charge',
    ),
    url: field(z.string(), 'The requested path and query, decoded. Redacted like the bodies.', '/v1/charge'),
    status: field(
      z.int(),
      'The HTTP status of the answer. 499 means that the client disconnected before the answer.',
      402,
    ),
    code: field(z.string().nullable(), "The error's `code`. Null if the request succeeded.", 'card_declined'),
    param: field(z.string().nullable(), "The error's `param`. Null if it has none.", null),
    duration_ms: field(z.int(), 'Milliseconds from the first line of the request until the answer was sent.', 184),
    key_id: FIELDS.key_id.nullable().describe('The key that the request used. Null in the keyless demo.'),
    key_name: field(z.string().nullable(), 'The current name of the key. Null if it has none.', 'Voice agent'),
    source: field(z.string().nullable(), 'The IP address that the request came from.', '203.0.113.7'),
    environment: FIELDS.environment,
    created_at: field(z.iso.datetime(), 'When the request was received: ISO 8601, in UTC.', '2026-11-20T12:00:40.000Z'),
  })
  .meta({ id: 'Request', description: 'A request to this API.' });
export type RequestResource = z.infer<typeof RequestResource>;

export const RequestWithBodiesResource = RequestResource.extend({
  request_body: field(
    z.string().nullable(),
    `The request body. ${BODY_RULES} Null if there was none. \`[no JSON]\` if the body was not JSON.`,
    '{"checkout_session_id":"cs_wj3degzdpcf54erf5dhqd3dqci","instrument_id":"card_demo_visa"}',
  ),
  answer_body: field(
    z.string().nullable(),
    `The answer body. ${BODY_RULES} Null for answers of the request log itself, which are not kept.`,
    '{"error":{"type":"card_error","code":"card_declined"}}',
  ),
}).meta({ id: 'RequestWithBodies', description: 'A request to this API, with its body and its answer.' });
export type RequestWithBodiesResource = z.infer<typeof RequestWithBodiesResource>;

export function requestResource(request: LoggedRequest & { keyName: string | null }): RequestResource {
  return {
    request_id: request.id,
    method: request.method,
    path: request.route,
    url: request.path,
    status: request.status,
    code: request.code,
    param: request.param,
    duration_ms: request.durationMs,
    key_id: request.keyId,
    key_name: request.keyName,
    source: request.source,
    environment: request.mode,
    created_at: request.createdAt.toISOString(),
  };
}

export function requestWithBodiesResource(
  request: LoggedRequest & { keyName: string | null },
): RequestWithBodiesResource {
  return { ...requestResource(request), request_body: request.requestBody, answer_body: request.answerBody };
}
