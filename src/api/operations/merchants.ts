/** API reference of merchants and order lookup: descriptions, schemas, errors, examples. */
import { z } from 'zod';
import { FIELDS, field } from '../../contract/fields.ts';
import { MerchantResource } from '../../contract/merchants.ts';
import type { Need, Operation } from '../reference/operation.ts';
import {
  ChangeMerchantRequest,
  ConnectProcessorRequest,
  CreateMerchantRequest,
  MerchantList,
  MerchantStatusResource,
} from '../schemas/merchants.ts';
import { LookUpOrderQuery, OrderResource } from '../schemas/orders.ts';
import { PageQuery } from '../schemas/pages.ts';

const group = 'Merchants';
const params = z.object({ id: FIELDS.merchant_id });
const MERCHANT: Need = { name: 'MERCHANT', operation: 'create_merchant', field: 'merchant_id' };
const SETTINGS_ERRORS = [
  ...(['invalid_payment_policy', 'invalid_payment_policy_amount_cents', 'invalid_url', 'not_configured'] as const),
];

export const CREATE_MERCHANT: Operation = {
  id: 'create_merchant',
  group,
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
};

export const LIST_MERCHANTS: Operation = {
  id: 'list_merchants',
  group,
  summary: 'List merchants',
  description: "The account's merchants in the mode of the key, newest first.",
  query: PageQuery,
  response: MerchantList,
  answers: 'A page of the list.',
  errors: [],
  example: { query: { limit: '3' } },
};

export const RETRIEVE_MERCHANT: Operation = {
  id: 'retrieve_merchant',
  group,
  summary: 'Retrieve a merchant',
  description: "Its settings. The processor's credentials and the order source's secret are never shown.",
  params,
  response: MerchantResource,
  answers: 'Its settings as they are now.',
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
};

export const CHANGE_MERCHANT: Operation = {
  id: 'change_merchant',
  group,
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
};

export const CONNECT_PROCESSOR: Operation = {
  id: 'connect_processor',
  group,
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
};

export const MERCHANT_STATUS: Operation = {
  id: 'retrieve_merchant_status',
  group,
  summary: 'What keeps a merchant from live payments',
  description: `\`requirements\` names each thing still to do; it is empty when live payments can be taken. The processor is asked whether it takes the stored
credentials. A test merchant always has \`test_environment\` in it: whether its sandbox checkouts can be paid is \`can_take_payments\`.`,
  params,
  response: MerchantStatusResource,
  answers: 'What is done, and what is left to do.',
  errors: ['merchant_not_found'],
  example: { params: { id: 'mer_demo_diner' } },
};

export const RETRIEVE_ORDER: Operation = {
  id: 'retrieve_order',
  group,
  summary: 'Look an order up',
  description: `What the merchant's order source says that the order costs, as \`create_checkout\` would take it. No such order, no answer within 3 seconds, or an amount
that cannot be charged: 424 \`order_lookup_failed\`. A merchant without an order source: 422 \`order_lookup_unsupported\`.`,
  params: z.object({ id: field(z.string(), "The order, in the merchant's own system.", 'order_1001') }),
  query: LookUpOrderQuery,
  response: OrderResource,
  answers: 'What the order costs.',
  errors: [
    ...(['missing_required_fields', 'merchant_not_found', 'order_lookup_failed', 'order_lookup_unsupported'] as const),
  ],
  example: { params: { id: 'order_1001' }, query: { merchant_id: 'mer_demo_diner' } },
};
