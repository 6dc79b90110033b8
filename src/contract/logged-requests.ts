/** Requests of the request log as REST shows them. */
import { z } from 'zod';
import type { LoggedRequest } from '../domain/logged-request.ts';
import { FIELDS, field } from './fields.ts';

const BODY_RULES =
  'JSON as text, 8,192 characters at most; what is longer ends in `… [cut]`. Secrets, card-like digits, names and email addresses are `[cut]`, phone numbers are masked.';

export const RequestResource = z
  .object({
    request_id: field(z.string(), 'The request, as in its answer’s `X-Request-Id`.', 'req_6majmj8hdw8gdrntcg6be6wnt6'),
    method: field(z.string(), 'Of the request.', 'POST'),
    path: field(
      z.string().nullable(),
      "The operation's path, as this reference writes it. Null where there is no such operation.",
      '/v1/charge',
    ),
    url: field(z.string(), 'Path and query as they were asked, decoded, cut like the bodies.', '/v1/charge'),
    status: field(z.int(), 'The HTTP status of the answer. 499: the client had gone before it had its answer.', 402),
    code: field(z.string().nullable(), "The error's `code`; null where it succeeded.", 'card_declined'),
    param: field(z.string().nullable(), "The error's `param`; null where it has none.", null),
    duration_ms: field(z.int(), 'From its first line until its answer was sent, in milliseconds.', 184),
    key_id: FIELDS.key_id.nullable().describe('The key it was made with. Null in the keyless demo.'),
    key_name: field(z.string().nullable(), "The key's name, as it is now; null where it has none.", 'Voice agent'),
    source: field(z.string().nullable(), 'The address that it came from.', '203.0.113.7'),
    environment: FIELDS.environment,
    created_at: field(z.iso.datetime(), 'When it came: ISO 8601, in UTC.', '2026-11-20T12:00:40.000Z'),
  })
  .meta({ id: 'Request', description: 'A request to this API.' });
export type RequestResource = z.infer<typeof RequestResource>;

export const RequestWithBodiesResource = RequestResource.extend({
  request_body: field(
    z.string().nullable(),
    `What was sent. ${BODY_RULES} Null where there was none; \`[no JSON]\` where it was none.`,
    '{"checkout_session_id":"cs_wj3degzdpcf54erf5dhqd3dqci","instrument_id":"card_demo_visa"}',
  ),
  answer_body: field(
    z.string().nullable(),
    `What was answered. ${BODY_RULES} Null for answers of the request log itself, which are not kept.`,
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
