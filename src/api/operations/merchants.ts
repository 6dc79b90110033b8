/** The reference's words on merchants and their orders. */
import type { Need, Operation } from '../reference/operation.ts';
import {
  ChangeMerchantRequest,
  ConnectProcessorRequest,
  CreateMerchantRequest,
  MerchantList,
  MerchantResource,
  MerchantStatusResource,
} from '../schemas/merchants.ts';
import { LookUpOrderQuery, OrderResource } from '../schemas/orders.ts';
import { PageQuery } from '../schemas/pages.ts';

const group = 'Merchants';
const MERCHANT: Need = { name: 'MERCHANT', operation: 'create_merchant', field: 'merchant_id' };
const SETTINGS_ERRORS = [
  ...(['invalid_payment_policy', 'invalid_payment_policy_amount_cents', 'invalid_url', 'not_configured'] as const),
];

export const CREATE_MERCHANT: Operation = {
  id: 'create_merchant',
  group,
  summary: 'Create a merchant',
  description: `In the mode of the key. The payment policy gives each checkout its verdict: \`never\` none, \`optional\` optional,
\`always\` required, \`above\` required from \`payment_policy_amount_cents\` on. An order source of the type \`http\` is asked with signed requests; the
secret is shown this once.`,
  request: CreateMerchantRequest,
  response: MerchantResource,
  errors: ['missing_required_fields', ...SETTINGS_ERRORS],
  example: { body: { business_name: 'Corner Bakery', payment_policy: 'above', payment_policy_amount_cents: 2000 } },
};

export const LIST_MERCHANTS: Operation = {
  id: 'list_merchants',
  group,
  summary: 'List merchants',
  description: 'Newest first.',
  query: PageQuery,
  response: MerchantList,
  errors: [],
  example: { query: { limit: '3' } },
};

export const RETRIEVE_MERCHANT: Operation = {
  id: 'retrieve_merchant',
  group,
  summary: 'Retrieve a merchant',
  description: "Its settings. The processor's credentials are never shown.",
  response: MerchantResource,
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
};

export const CHANGE_MERCHANT: Operation = {
  id: 'change_merchant',
  group,
  summary: 'Change a merchant',
  description: 'What is not given stays as it is. Sessions that are open keep their verdict.',
  request: ChangeMerchantRequest,
  response: MerchantResource,
  errors: ['merchant_not_found', ...SETTINGS_ERRORS],
  example: { needs: [MERCHANT], params: { id: '$MERCHANT' }, body: { asks_postal_code: true } },
};

export const CONNECT_PROCESSOR: Operation = {
  id: 'connect_processor',
  group,
  summary: "Connect the merchant's processor",
  description: `The credentials, by the processor's own names, are tried and then kept encrypted; they are never shown again. Each
environment is connected with its own key.`,
  request: ConnectProcessorRequest,
  response: MerchantResource,
  errors: [
    ...(['missing_required_fields', 'merchant_not_found', 'invalid_processor', 'invalid_environment'] as const),
    ...(['invalid_credentials', 'vendor_not_provisioned', 'not_configured', 'processor_unavailable'] as const),
  ],
  example: { needs: [MERCHANT], params: { id: '$MERCHANT' }, body: { processor: 'sandbox' } },
};

export const MERCHANT_STATUS: Operation = {
  id: 'retrieve_merchant_status',
  group,
  summary: 'What keeps a merchant from live payments',
  description: '`requirements` names each thing still to do; empty when live payments can be taken.',
  response: MerchantStatusResource,
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
};

export const RETRIEVE_ORDER: Operation = {
  id: 'retrieve_order',
  group,
  summary: 'Look an order up',
  description: "What the merchant's order source says that the order costs, as `create_checkout` would take it.",
  query: LookUpOrderQuery,
  response: OrderResource,
  errors: [
    ...(['missing_required_fields', 'merchant_not_found', 'order_lookup_failed', 'order_lookup_unsupported'] as const),
  ],
  example: { params: { id: 'order_1001' }, query: { merchant_id: 'mer_demo_diner' } },
};
