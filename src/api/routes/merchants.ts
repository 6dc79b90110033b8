/** `/v1/merchants`: the account's merchants, their settings, processor and status. Their shapes are in merchant-shapes.ts. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { targetsFor } from '../plugins/local-requests.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { PageQuery, pageRequest, requirePage } from '../pages.ts';
import { requireMerchant } from '../require-in-scope.ts';
import {
  ChangeMerchantRequest,
  ConnectProcessorRequest,
  CreateMerchantRequest,
  MerchantList,
  MerchantStatusResource,
} from './merchant-shapes.ts';
import { parseBody, parseQuery } from '../validation.ts';
import { ApiError } from '../../contract/errors.ts';
import { FIELDS } from '../../contract/fields.ts';
import { MerchantResource, merchantResource } from '../../contract/merchants.ts';
import { listMerchantRecords, type MerchantRecord } from '../../db/merchants/merchant-records.ts';
import { parseId } from '../../domain/ids.ts';
import type { MerchantSettingsDeps } from '../../merchants/deps.ts';
import { connectMerchant } from '../../merchants/processor.ts';
import {
  type ChangedMerchant,
  changeMerchant,
  createMerchant,
  type MerchantSettings,
} from '../../merchants/settings.ts';
import { type MerchantStatusDeps, merchantStatus, REQUIREMENTS } from '../../merchants/status.ts';

const params = z.object({ id: FIELDS.merchant_id });
const MERCHANT: Need = { name: 'MERCHANT', operation: 'create_merchant', field: 'merchant_id' };
const SETTINGS_ERRORS = [
  ...(['invalid_payment_policy', 'invalid_payment_policy_amount_cents', 'invalid_url', 'not_configured'] as const),
];

const CREATE_MERCHANT = {
  id: 'create_merchant',
  group: 'Merchants',
  summary: 'Create a merchant',
  description: `Whom the money is for, in the mode of the key that asks. Only \`business_name\` is required; all else has a default.

- **Policy.** It gives each checkout its verdict: \`never\` none, \`optional\` optional, \`always\` required, \`above\` required from
\`payment_policy_amount_cents\` on, which no other policy takes.
- **Order source.** \`http\` is asked with signed requests; \`order_source.signing_secret\` is shown this once.
- **Next:** connect its processor. Until then a checkout that must be paid is 422 \`merchant_not_connected\`.
- A slug or a number that another merchant has: \`invalid_value\`. An unknown setting is refused, and named in \`param\`.`,
  request: CreateMerchantRequest,
  response: MerchantResource,
  answers: 'The merchant, with every setting as it is now.',
  errors: ['missing_required_fields', ...SETTINGS_ERRORS],
  example: { body: { business_name: 'Corner Bakery', payment_policy: 'above', payment_policy_amount_cents: 2000 } },
} satisfies Operation;

const LIST_MERCHANTS = {
  id: 'list_merchants',
  group: 'Merchants',
  summary: 'List merchants',
  description: "The account's merchants in the mode of the key, newest first.",
  query: PageQuery,
  response: MerchantList,
  answers: 'A page of the list.',
  errors: [],
  example: { query: { limit: '3' } },
} satisfies Operation;

const RETRIEVE_MERCHANT = {
  id: 'retrieve_merchant',
  group: 'Merchants',
  summary: 'Retrieve a merchant',
  description: "Its settings. The processor's credentials and the order source's secret are never shown.",
  params,
  response: MerchantResource,
  answers: 'Its settings as they are now.',
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
} satisfies Operation;

const CHANGE_MERCHANT = {
  id: 'change_merchant',
  group: 'Merchants',
  summary: 'Change a merchant',
  description: `What is not given stays as it is; a list replaces the whole list. Sessions that are open keep their amount and verdict; the line's settings
hold for the next call.

Leaving the policy \`above\` drops its threshold. Another URL of an \`http\` order source gets a new secret, shown this once; the same URL keeps
its own.`,
  params,
  request: ChangeMerchantRequest,
  response: MerchantResource,
  answers: 'Its settings as they are now.',
  errors: ['missing_required_fields', 'merchant_not_found', ...SETTINGS_ERRORS],
  example: { needs: [MERCHANT], params: { id: '$MERCHANT' }, body: { asks_postal_code: true } },
} satisfies Operation;

const CONNECT_PROCESSOR = {
  id: 'connect_processor',
  group: 'Merchants',
  summary: "Connect the merchant's processor",
  description: `The credentials, by the processor's own names, are tried at the processor and then kept encrypted; they are never shown again. Each
environment is connected with its own key.

- Refused credentials, or such as have not the processor's form: 422 \`invalid_credentials\`, and nothing is changed. The account exists but cannot take
payments yet: 422 \`vendor_not_provisioned\`. The processor could not be asked: 424 \`processor_unavailable\`, nothing is changed, send it again.
- It replaces what was connected before; charges of before are still looked up there.
- Of Stripe a restricted key will do that may write PaymentIntents, PaymentMethods, SetupIntents, Customers, and Charges and Refunds. It cannot read its
account: whether that takes payments is then not checked, and cards saved with it are this merchant's alone unless \`account_id\` is given.
- In test mode \`sandbox\` wants no credentials and takes the test cards.`,
  params,
  request: ConnectProcessorRequest,
  response: MerchantResource,
  answers: 'The merchant, connected.',
  errors: [
    ...(['missing_required_fields', 'merchant_not_found', 'invalid_processor', 'invalid_environment'] as const),
    ...(['invalid_credentials', 'vendor_not_provisioned', 'not_configured', 'processor_unavailable'] as const),
  ],
  example: { needs: [MERCHANT], params: { id: '$MERCHANT' }, body: { processor: 'sandbox' } },
} satisfies Operation;

const MERCHANT_STATUS = {
  id: 'retrieve_merchant_status',
  group: 'Merchants',
  summary: 'What keeps a merchant from live payments',
  description: `\`requirements\` names each thing still to do; it is empty when live payments can be taken. The processor is asked whether it takes the stored
credentials, and to show wallets on the pay page: its host is registered there if it is not yet. A test merchant always has \`test_environment\` in it: whether its sandbox checkouts can be paid is \`can_take_payments\`.`,
  params,
  response: MerchantStatusResource,
  answers: 'What is done, and what is left to do.',
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
} satisfies Operation;

/** Another account's merchant is `merchant_not_found`, one of the other mode `invalid_key`. */
export function merchantRoutes(
  app: FastifyInstance,
  deps: MerchantSettingsDeps & MerchantStatusDeps & { privateTargetsLocally?: boolean },
): void {
  addOperation(app, 'POST /merchants', CREATE_MERCHANT, async (request) => {
    const body = parseBody(CreateMerchantRequest, request.body);
    const settings = { ...settingsOf(body), businessName: body.business_name };
    return changedResource(await createMerchant(targetsFor(request, deps), request.actor, request.scope, settings));
  });

  addOperation(app, 'GET /merchants', LIST_MERCHANTS, async (request) => {
    const page = pageRequest(parseQuery(PageQuery, request.query));
    const { items, hasMore } = requirePage(await listMerchantRecords(deps.database, request.scope, page));
    return { merchants: items.map(merchantResource), has_more: hasMore };
  });

  addOperation(app, 'GET /merchants/:id', RETRIEVE_MERCHANT, async (request) => {
    return merchantResource(await requireMerchant(deps.database, request, request.params.id));
  });

  addOperation(app, 'PATCH /merchants/:id', CHANGE_MERCHANT, async (request) => {
    const id = parseId('Merchant', request.params.id);
    if (id === null) throw new ApiError('merchant_not_found', { param: 'merchant_id' });
    const settings = settingsOf(parseBody(ChangeMerchantRequest, request.body));
    return changedResource(await changeMerchant(targetsFor(request, deps), request.actor, request.scope, id, settings));
  });

  addOperation(app, 'POST /merchants/:id/processor', CONNECT_PROCESSOR, async (request) => {
    const { merchant } = await requireMerchant(deps.database, request, request.params.id);
    const body = parseBody(ConnectProcessorRequest, request.body);
    if (body.environment !== undefined && body.environment !== request.scope.mode) throw wrongEnvironment();
    await connectMerchant(deps, request.actor, request.scope, merchant, body);
    return merchantResource(await requireMerchant(deps.database, request, request.params.id));
  });

  addOperation(app, 'GET /merchants/:id/status', MERCHANT_STATUS, async (request) => {
    return statusResource(deps, await requireMerchant(deps.database, request, request.params.id));
  });
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
    secondLanguage: body.second_language,
    timeZone: body.time_zone,
    voice: body.voice,
    asksPostalCode: body.asks_postal_code,
    asksConfirmation: body.asks_confirmation,
    cardSaving: body.card_saving,
    textAfterDrop: body.text_after_drop,
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

async function statusResource(deps: MerchantStatusDeps, record: MerchantRecord): Promise<MerchantStatusResource> {
  const { merchant, isReady, requirements, wallets } = await merchantStatus(deps, record);
  return {
    merchant_id: merchant.id,
    environment: merchant.mode,
    processor: merchant.processor,
    can_take_payments: isReady,
    can_take_live_payments: isReady && merchant.mode === 'live',
    requirements: requirements.map((code) => ({ code, message: REQUIREMENTS[code] })),
    wallets: wallets === null ? null : { apple_pay: wallets.applePay, google_pay: wallets.googlePay },
  };
}
