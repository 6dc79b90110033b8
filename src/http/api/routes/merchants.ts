/** `/v1/merchants`: settings, processor and status. The schemas are in merchant-shapes.ts. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { MerchantSettingsDeps } from '../../../accounts/merchants/deps.ts';
import { connectMerchant } from '../../../accounts/merchants/processor.ts';
import {
  type ChangedMerchant,
  changeMerchant,
  createMerchant,
  type MerchantSettings,
} from '../../../accounts/merchants/settings.ts';
import { type MerchantStatusDeps, merchantStatus, REQUIREMENTS } from '../../../accounts/merchants/status.ts';
import { ApiError, merchantNotFound } from '../../../contract/errors.ts';
import { FIELDS, field } from '../../../contract/fields.ts';
import { MerchantResource, merchantResource } from '../../../contract/merchants.ts';
import { listMerchantRecords, type MerchantRecord } from '../../../db/merchants/merchant-records.ts';
import { parseId } from '../../../domain/ids.ts';
import { addList, type ListOperation, PageQuery, pageRequest } from '../pages.ts';
import { targetsFor } from '../plugins/local-requests.ts';
import { addOperation, type Need, type Operation } from '../reference/operation.ts';
import { requireMerchant } from '../require-in-scope.ts';
import { text } from '../text-schemas.ts';
import {
  ChangeMerchantRequest,
  ConnectProcessorRequest,
  CreateMerchantRequest,
  MerchantList,
  MerchantStatusResource,
} from './merchant-shapes.ts';
import { changedBranding } from './page-branding-shapes.ts';

const params = z.object({ id: FIELDS.merchant_id });
const MERCHANT: Need = { name: 'MERCHANT', operation: 'create_merchant', field: 'merchant_id' };
const SETTINGS_ERRORS = [
  'invalid_payment_policy',
  'invalid_payment_policy_amount_cents',
  'invalid_url',
  'not_configured',
] as const;

const CREATE_MERCHANT = {
  id: 'create_merchant',
  group: 'Merchants',
  summary: 'Create a merchant',
  description: `Creates a merchant, which gets paid, in the mode of your key. Only \`business_name\` is required; everything else
has a default.

- **Policy.** It decides the verdict of each checkout: \`never\` is none, \`optional\` is optional, \`always\` is
required, and \`above\` is required from \`payment_policy_amount_cents\` on. No other policy accepts that field.
- **Order source.** We send signed requests to an \`http\` order source. \`order_source.signing_secret\` is shown
only once.
- **Next step.** Connect the processor. Until then, a checkout that must be paid returns 422
\`merchant_not_connected\`.
- A slug or number that another merchant has returns \`invalid_value\`. An unknown setting is rejected and named in
\`param\`.`,
  request: CreateMerchantRequest,
  response: MerchantResource,
  answers: 'The merchant with all its settings.',
  errors: ['missing_required_fields', ...SETTINGS_ERRORS],
  example: { body: { business_name: 'Corner Bakery', payment_policy: 'above', payment_policy_amount_cents: 2000 } },
} satisfies Operation;

const MAX_SEARCH_LENGTH = 100;

const LIST_MERCHANTS = {
  id: 'list_merchants',
  limited: 'read',
  group: 'Merchants',
  summary: 'List merchants',
  description: "Lists the account's merchants in the mode of your key, newest first.",
  query: PageQuery.extend({
    search: field(
      text(MAX_SEARCH_LENGTH).optional(),
      'Only merchants whose `business_name` contains this text, in upper or lower case, or whose `merchant_id` is this text.',
      'diner',
    ),
  }),
  response: MerchantList,
  errors: [],
  example: { query: { limit: '3' } },
} satisfies ListOperation;

const RETRIEVE_MERCHANT = {
  id: 'retrieve_merchant',
  limited: 'read',
  group: 'Merchants',
  summary: 'Retrieve a merchant',
  description:
    "Returns the merchant's settings. The processor's credentials and the order source's secret are never shown.",
  params,
  response: MerchantResource,
  answers: 'The current settings.',
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
} satisfies Operation;

const CHANGE_MERCHANT = {
  id: 'change_merchant',
  group: 'Merchants',
  summary: 'Update a merchant',
  description: `Fields that you omit keep their values. A list replaces the whole list. Open sessions keep their amount and verdict.
Settings of the line apply to the next call.

Changing the policy from \`above\` to another one removes the threshold. If you change the URL of an \`http\` order
source, a new secret is created and shown only once. If you send the same URL, the secret stays.`,
  params,
  request: ChangeMerchantRequest,
  response: MerchantResource,
  answers: 'The updated settings.',
  errors: ['missing_required_fields', 'merchant_not_found', ...SETTINGS_ERRORS],
  example: { needs: [MERCHANT], params: { id: '$MERCHANT' }, body: { asks_postal_code: true } },
} satisfies Operation;

const CONNECT_PROCESSOR = {
  id: 'connect_processor',
  group: 'Merchants',
  summary: "Connect the merchant's processor",
  description: `Tests the credentials at the processor and stores them encrypted. They are never shown again. Connect each
environment with its own key.

- Rejected or malformed credentials return 422 \`invalid_credentials\`. If the account exists but cannot take
payments yet, returns 422 \`vendor_not_provisioned\`. If the processor cannot be reached, returns 424
\`processor_unavailable\`: try again. After any of these errors, nothing is changed.
- A service that was installed from npm does not contain Square's package. Until its operator installs it, returns 422
\`not_configured\`, whose message has the command.
- The new connection replaces the previous one. Earlier charges are still looked up there.
- For Stripe you can use a restricted key that can write PaymentIntents, PaymentMethods, SetupIntents, Customers,
and Charges and Refunds. It cannot read its account, so we do not check whether the account takes payments. Unless
you send \`account_id\`, cards saved with it can only be used by this merchant.
- In test mode, \`sandbox\` needs no credentials and accepts the test cards.`,
  params,
  request: ConnectProcessorRequest,
  response: MerchantResource,
  answers: 'The connected merchant.',
  errors: [
    'missing_required_fields',
    'merchant_not_found',
    'invalid_processor',
    'invalid_environment',
    'invalid_value',
    'invalid_credentials',
    'vendor_not_provisioned',
    'not_configured',
    'processor_unavailable',
  ],
  example: { needs: [MERCHANT], params: { id: '$MERCHANT' }, body: { processor: 'sandbox' } },
} satisfies Operation;

const MERCHANT_STATUS = {
  id: 'retrieve_merchant_status',
  group: 'Merchants',
  summary: 'List what live payments still require',
  description: `\`requirements\` lists what you still have to do. It is empty if live payments can be taken. We ask the processor
whether it accepts the stored credentials and shows wallets on the pay page; if the page's host is not registered
there, we register it. A test merchant always has the requirement \`test_environment\`. See \`can_take_payments\`
for whether its sandbox checkouts can be paid.`,
  params,
  response: MerchantStatusResource,
  answers: 'What is done and what you still have to do.',
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
} satisfies Operation;

export function merchantRoutes(
  app: FastifyInstance,
  deps: MerchantSettingsDeps & MerchantStatusDeps & { privateTargetsLocally?: boolean },
): void {
  addOperation(app, 'POST /merchants', CREATE_MERCHANT, async ({ body }, request) => {
    const settings = { ...settingsOf(body), businessName: body.business_name };
    return changedResource(await createMerchant(targetsFor(request, deps), request.actor, request.scope, settings));
  });

  addList(app, 'GET /merchants', LIST_MERCHANTS, merchantResource, ({ query }, { scope }) =>
    listMerchantRecords(deps.database, scope, pageRequest(query), query.search ?? null),
  );

  addOperation(app, 'GET /merchants/:id', RETRIEVE_MERCHANT, async ({ params }, request) =>
    merchantResource(await requireMerchant(deps.database, request, params.id)),
  );

  addOperation(app, 'PATCH /merchants/:id', CHANGE_MERCHANT, async (input, request) => {
    const id = parseId('Merchant', input.params.id);
    if (id === null) throw merchantNotFound(input.params.id);
    const settings = settingsOf(input.body);
    return changedResource(await changeMerchant(targetsFor(request, deps), request.actor, request.scope, id, settings));
  });

  addOperation(app, 'POST /merchants/:id/processor', CONNECT_PROCESSOR, async (input, request) => {
    const { merchant } = await requireMerchant(deps.database, request, input.params.id);
    const { body } = input;
    if (body.environment !== undefined && body.environment !== request.scope.mode) throw wrongEnvironment();
    await connectMerchant(deps, request.actor, request.scope, merchant, body);
    return merchantResource(await requireMerchant(deps.database, request, merchant.id));
  });

  addOperation(app, 'GET /merchants/:id/status', MERCHANT_STATUS, async ({ params }, request) =>
    statusResource(deps, await requireMerchant(deps.database, request, params.id)),
  );
}

function wrongEnvironment(): ApiError {
  return new ApiError('invalid_environment', {
    param: 'environment',
    message: "The environment differs from the mode of the key. Connect each environment's processor with its own key.",
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
    tipPercentages: body.tip_percentages,
    partialMinimumCents: body.partial_minimum_cents,
    textAfterDrop: body.text_after_drop,
    returnMode: body.return_mode,
    acceptedBrands: body.accepted_brands,
    bankDebitPhone: body.bank_debit_phone,
    orderSource: body.order_source,
    branding: changedBranding(body),
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
