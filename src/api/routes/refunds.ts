/** `/v1/refunds`: money back. A refund that the processor refuses is an error, as a declined charge is. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ownCharge, ownRefund, type RefundDeps, requestRefund } from '../../checkout/refund.ts';
import { withErrorsIn } from '../../contract/errors.ts';
import { type RefundResource, refundResource } from '../../contract/refunds.ts';
import { languageOfCharge } from '../../db/sessions/languages.ts';
import { listRefunds } from '../../db/refunds/refund-lists.ts';
import { CREATE_REFUND, LIST_REFUNDS, RETRIEVE_REFUND } from '../operations/refunds.ts';
import { type IdRoute, pageFound, pageRequest } from '../require-in-scope.ts';
import { docsUrlOf } from '../plugins/errors.ts';
import { CreateRefundRequest, ListRefundsQuery, type RefundList } from '../schemas/refunds.ts';
import { parseBody, parseQuery } from '../validation.ts';

export interface RefundRouteDeps extends RefundDeps {
  docsUrl: string | null;
}

/** A refund that is on its way answers 200 as `pending`; one that nobody knows the outcome of 424 `processor_unavailable`. */
export function refundRoutes(app: FastifyInstance, deps: RefundRouteDeps): void {
  const contextOf = ({ id }: FastifyRequest) => ({ requestId: id, docsUrl: docsUrlOf(app, deps.docsUrl) });

  app.post('/refunds', { config: { operation: CREATE_REFUND } }, async (request): Promise<RefundResource> => {
    const body = parseBody(CreateRefundRequest, request.body);
    const claim = request.idempotencyClaim;
    const order = {
      charge: body.charge,
      scope: request.scope,
      amountCents: body.amount_cents ?? null,
      reason: body.reason ?? null,
      metadata: body.metadata ?? {},
      log: request.log,
      idempotency: claim === null ? null : { keyHash: claim.keyHash, requestHash: claim.requestHash },
    };
    const languageOf = () => languageOfCharge(deps.database, request.scope.accountId, body.charge);
    const refund = await withErrorsIn(languageOf, () => requestRefund(deps, order));
    return refundResource(refund, contextOf(request));
  });

  app.get('/refunds', { config: { operation: LIST_REFUNDS } }, async (request): Promise<RefundList> => {
    const { database } = deps;
    const query = parseQuery(ListRefundsQuery, request.query);
    const chargeId = query.charge === undefined ? null : await ownCharge(database, request.scope, query.charge);
    const page = pageFound(await listRefunds(database, request.scope, chargeId, pageRequest(query)));
    return {
      refunds: page.items.map((refund) => refundResource(refund, contextOf(request))),
      has_more: page.hasMore,
    };
  });

  app.get<IdRoute>('/refunds/:id', { config: { operation: RETRIEVE_REFUND } }, async (request) =>
    refundResource(await ownRefund(deps.database, request.scope, request.params.id), contextOf(request)),
  );
}
