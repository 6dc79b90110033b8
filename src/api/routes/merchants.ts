/** `/v1/merchants`: the account's merchants in the key's mode. */
import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { ApiError } from '../../contract/errors.ts';
import { parseId } from '../../domain/ids.ts';
import type { MerchantDeps } from '../../merchants/deps.ts';
import { connectMerchant } from '../../merchants/processor.ts';
import { type MerchantResource, merchantResource } from '../../contract/merchants.ts';
import {
  type ChangedMerchant,
  changeMerchant,
  createMerchant,
  type MerchantSettings,
} from '../../merchants/settings.ts';
import { REQUIREMENTS, merchantStatus } from '../../merchants/status.ts';
import { listMerchantRecords, type MerchantRecord } from '../../db/merchants/merchant-records.ts';
import {
  CHANGE_MERCHANT,
  CONNECT_PROCESSOR,
  CREATE_MERCHANT,
  LIST_MERCHANTS,
  MERCHANT_STATUS,
  RETRIEVE_MERCHANT,
} from '../operations/merchants.ts';
import { type IdRoute, requireMerchant, requirePage, pageRequest } from '../require-in-scope.ts';
import {
  ChangeMerchantRequest,
  ConnectProcessorRequest,
  CreateMerchantRequest,
  type MerchantList,
  type MerchantStatusResource,
} from '../schemas/merchants.ts';
import { PageQuery } from '../schemas/pages.ts';
import { parseBody, parseQuery } from '../validation.ts';

/** Another account's merchant is `merchant_not_found`, one of the other mode `invalid_key`. */
export function merchantRoutes(app: FastifyInstance, deps: MerchantDeps): void {
  app.post('/merchants', { config: { operation: CREATE_MERCHANT } }, async (request): Promise<MerchantResource> => {
    const body = parseBody(CreateMerchantRequest, request.body);
    const settings = { ...settingsOf(body), businessName: body.business_name };
    return changedResource(await createMerchant(deps, request.scope, settings));
  });

  app.get('/merchants', { config: { operation: LIST_MERCHANTS } }, async (request): Promise<MerchantList> => {
    const page = pageRequest(parseQuery(PageQuery, request.query));
    const { items, hasMore } = requirePage(await listMerchantRecords(deps.database, request.scope, page));
    return { merchants: items.map(merchantResource), has_more: hasMore };
  });

  app.get<IdRoute>(
    '/merchants/:id',
    { config: { operation: RETRIEVE_MERCHANT } },
    async (request): Promise<MerchantResource> => {
      return merchantResource(await requireMerchant(deps.database, request, request.params.id));
    },
  );

  app.patch<IdRoute>(
    '/merchants/:id',
    { config: { operation: CHANGE_MERCHANT } },
    async (request): Promise<MerchantResource> => {
      const id = parseId('Merchant', request.params.id);
      if (id === null) throw new ApiError('merchant_not_found', { param: 'merchant_id' });
      const settings = settingsOf(parseBody(ChangeMerchantRequest, request.body));
      return changedResource(await changeMerchant(deps, request.scope, id, settings));
    },
  );

  app.post<IdRoute>(
    '/merchants/:id/processor',
    { config: { operation: CONNECT_PROCESSOR } },
    async (request): Promise<MerchantResource> => {
      const { merchant } = await requireMerchant(deps.database, request, request.params.id);
      const body = parseBody(ConnectProcessorRequest, request.body);
      if (body.environment !== undefined && body.environment !== request.scope.mode) throw wrongEnvironment();
      await connectMerchant(deps, request.scope, merchant, body);
      return merchantResource(await requireMerchant(deps.database, request, request.params.id));
    },
  );

  app.get<IdRoute>(
    '/merchants/:id/status',
    { config: { operation: MERCHANT_STATUS } },
    async (request): Promise<MerchantStatusResource> => {
      return statusResource(deps, await requireMerchant(deps.database, request, request.params.id));
    },
  );
}

function wrongEnvironment(): ApiError {
  return new ApiError('invalid_environment', {
    param: 'environment',
    message: "The environment is not that of the key: connect each environment's processor with its own key.",
  });
}

function settingsOf(body: z.output<typeof ChangeMerchantRequest>): MerchantSettings {
  return {
    businessName: body.business_name,
    slug: body.slug,
    numbers: body.numbers,
    currency: body.currency,
    policy: body.payment_policy,
    policyAmountCents: body.payment_policy_amount_cents,
    language: body.language,
    timeZone: body.time_zone,
    voice: body.voice,
    asksPostalCode: body.asks_postal_code,
    asksConfirmation: body.asks_confirmation,
    cardSaving: body.card_saving,
    returnMode: body.return_mode,
    acceptedBrands: body.accepted_brands,
    orderSource: body.order_source,
  };
}

function changedResource({ record, orderSourceSecret }: ChangedMerchant): MerchantResource {
  const resource = merchantResource(record);
  if (orderSourceSecret === null) return resource;
  return { ...resource, order_source: { ...resource.order_source, signing_secret: orderSourceSecret } };
}

async function statusResource(deps: MerchantDeps, record: MerchantRecord): Promise<MerchantStatusResource> {
  const { merchant, isReady, requirements } = await merchantStatus(deps, record);
  return {
    merchant_id: merchant.id,
    environment: merchant.mode,
    processor: merchant.processor,
    can_take_payments: isReady,
    can_take_live_payments: requirements.length === 0,
    requirements: requirements.map((code) => ({ code, message: REQUIREMENTS[code] })),
  };
}
