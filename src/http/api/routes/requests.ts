/** `/v1/requests`: the request log, and one request with its bodies. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { ERROR_CODES, type ErrorCode } from '../../../contract/error-catalogue.ts';
import { ApiError } from '../../../contract/errors.ts';
import { field } from '../../../contract/fields.ts';
import {
  RequestResource,
  RequestWithBodiesResource,
  requestResource,
  requestWithBodiesResource,
} from '../../../contract/logged-requests.ts';
import type { Sql } from '../../../db/pool.ts';
import { findRequest, listRequests } from '../../../db/requests/requests.ts';
import { parseId } from '../../../domain/ids.ts';
import { TIME_FILTERS, timeRange } from '../list-filters.ts';
import { addList, type ListOperation, listOf, PageQuery, pageRequest } from '../pages.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireInScope } from '../require-in-scope.ts';
import { anyId, text } from '../text-schemas.ts';
import { requireKey } from './keys.ts';

const ListRequestsQuery = PageQuery.extend({
  ...TIME_FILTERS,
  status: field(
    z
      .string()
      .regex(/^[1-5]\d\d$/)
      .optional(),
    'Only requests with this HTTP status in their answer.',
    '402',
  ),
  code: field(
    z.enum(ERROR_CODES as [ErrorCode, ...ErrorCode[]]).optional(),
    'Only requests that returned an error with this code.',
    'card_declined',
  ),
  path: field(
    text(200).optional(),
    'Only requests to the path of this operation, as written in this reference: `/v1/charges/{charge_id}`.',
    '/v1/charge',
  ),
  key_id: field(anyId.optional(), 'Only requests with this key.', 'key_8rsn6i4h36wer5epvhjzjsi7qg'),
});

const RETENTION = `Requests are kept for 30 days unless the service is configured otherwise, and appear at most one second after the
answer. Under very high load, some are left out. Requests without an accepted key are not listed.`;

const LIST_REQUESTS = {
  id: 'list_requests',
  group: 'Requests',
  summary: 'List requests',
  description: `Lists requests to this API with keys of the account in this mode, newest first. If you send several filters, all of
them must match. \`retrieve_request\` has the bodies. \`starting_after\` is a \`request_id\`. ${RETENTION}`,
  query: ListRequestsQuery,
  response: listOf('requests', RequestResource),
  errors: ['key_not_found'],
  keepsNoAnswer: true,
  example: { query: { status: '200', limit: '5' } },
} satisfies ListOperation;

const REQUEST: Need = { name: 'REQUEST', operation: 'list_requests', field: 'requests.0.request_id' };

const RETRIEVE_REQUEST = {
  id: 'retrieve_request',
  group: 'Requests',
  summary: 'Retrieve a request and its answer',
  description: `Returns a request with its body and its answer. Keys, tokens, codes, card-like digits, names and phone numbers are
removed or masked before storage. For unknown fields and parameters, only the name is stored. An error's
\`request_log_url\` links to the same request in the dashboard. ${RETENTION}`,
  params: z.object({ request_id: RequestResource.shape.request_id }),
  response: RequestWithBodiesResource,
  answers: 'The request.',
  errors: ['not_found'],
  keepsNoAnswer: true,
  example: { needs: [REQUEST], params: { request_id: '$REQUEST' } },
} satisfies Operation;

export function requestRoutes(app: FastifyInstance, { database }: { database: Sql }): void {
  addList(app, 'GET /requests', LIST_REQUESTS, requestResource, async ({ query }, { scope }) => {
    const filter = {
      ...timeRange(query),
      status: query.status === undefined ? null : Number(query.status),
      code: query.code ?? null,
      route: query.path ?? null,
      keyId: query.key_id === undefined ? null : (await requireKey(database, scope, query.key_id)).id,
    };
    return listRequests(database, scope, filter, pageRequest(query));
  });

  addOperation(app, 'GET /requests/:request_id', RETRIEVE_REQUEST, async ({ params }, { scope }) => {
    const find = (id: string) => findRequest(database, scope.accountId, id);
    const id = parseId('Request', params.request_id);
    return requestWithBodiesResource(await requireInScope(scope, id, find, noRequest));
  });
}

const noRequest = () =>
  new ApiError('not_found', {
    param: 'request_id',
    message: 'The request log of this account has no request with this ID.',
  });
