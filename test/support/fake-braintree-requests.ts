/** Keys and inputs of the fake Braintree (github.com/braintree/graphql-api, schema.graphql). */
import { z } from 'zod';

export const PUBLIC_KEY = 'v4ndq314c2s5c28r';
export const PRIVATE_KEY = '93b78bc88be90d93ac282e50ae569fdd';
export const MERCHANT_ACCOUNT = 'ringkey_usd';
export const MERCHANT = 'bWVyY2hhbnRfa2p0';

const amount = z.string().regex(/^\d+\.\d\d$/);
export const TOKENIZE = z.strictObject({
  creditCard: z.strictObject({
    number: z.string().regex(/^\d{12,19}$/),
    expirationMonth: z.string().regex(/^(0[1-9]|1[0-2])$/),
    expirationYear: z.string().regex(/^20\d\d$/),
    cvv: z.string().regex(/^\d{3,4}$/),
    billingAddress: z.strictObject({ postalCode: z.string().max(9) }).optional(),
  }),
  options: z.strictObject({ validate: z.literal(true) }),
});
export const NEW_TRANSACTION = z.strictObject({
  paymentMethodId: z.string(),
  transaction: z.strictObject({
    amount,
    merchantAccountId: z.literal(MERCHANT_ACCOUNT),
    orderId: z.string().max(255),
    paymentInitiator: z.enum(['MOTO', 'UNSCHEDULED']).optional(),
    vaultPaymentMethodAfterTransacting: z.strictObject({ when: z.literal('ON_SUCCESSFUL_TRANSACTION') }).optional(),
  }),
});
export const CAPTURE = z.strictObject({ transactionId: z.string(), transaction: z.strictObject({ amount }) });
export const REVERSE = z.strictObject({ transactionId: z.string() });
export const REFUND = z.strictObject({
  transactionId: z.string(),
  refund: z.strictObject({ amount, orderId: z.string().max(255) }),
});
export const VAULT = z.strictObject({
  paymentMethodId: z.string(),
  verification: z.strictObject({ merchantAccountId: z.literal(MERCHANT_ACCOUNT) }),
});
export const NEW_CUSTOMER = z.strictObject({ customer: z.strictObject({ company: z.string().max(255) }) });
export const VERIFY = VAULT.extend({ customerId: z.string() });
export const FIND_CUSTOMER = z.strictObject({ company: z.strictObject({ is: z.string() }) });
const LEGACY_TYPE = z.enum(['DISPUTE', 'REFUND', 'TRANSACTION']);
export const LEGACY_IDS = z.strictObject({
  ids: z
    .array(z.strictObject({ legacyId: z.string().min(1), type: LEGACY_TYPE }))
    .min(1)
    .max(50),
});
export const FIND_DISPUTES = z.strictObject({
  effectiveDate: z.strictObject({ greaterThanOrEqualTo: z.iso.date() }),
  transaction: z.strictObject({ merchantAccountId: z.strictObject({ is: z.literal(MERCHANT_ACCOUNT) }) }),
});
export const DELETE = z.strictObject({ paymentMethodId: z.string() });
export const SEARCH = z.strictObject({
  orderId: z.strictObject({ startsWith: z.string() }).optional(),
  merchantAccountId: z.strictObject({ is: z.literal(MERCHANT_ACCOUNT) }).optional(),
  createdAt: z.strictObject({ greaterThanOrEqualTo: z.string(), lessThanOrEqualTo: z.string() }).optional(),
  statusTransition: z
    .strictObject({ voidedAt: z.strictObject({ greaterThanOrEqualTo: z.string(), lessThanOrEqualTo: z.string() }) })
    .optional(),
});
export type Search = z.output<typeof SEARCH>;
export const REQUEST = z.strictObject({
  query: z.string(),
  variables: z.object({ input: z.unknown().optional(), id: z.string().optional(), after: z.string().nullish() }),
});
export const ASKED = z.strictObject({ id: z.strictObject({ is: z.string() }) });
