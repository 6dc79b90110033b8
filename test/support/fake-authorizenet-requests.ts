/**
 * The requests that the fake Authorize.net accepts, after the published schema
 * (api.authorize.net/xml/v1/schema/AnetApiSchema.xsd, as in the propOrder of github.com/AuthorizeNet/sdk-java). JSON is
 * translated to XML there, so members must be in the schema's order.
 */
import { z } from 'zod';

export const LOGIN = '5KP3u95bQpv';
export const TRANSACTION_KEY = '346HZ32z3fP4hTG2';

const short = z.string().min(1).max(20);
const numeric = z.string().regex(/^\d{1,20}$/);
const amount = z.string().regex(/^\d{1,8}\.\d{2}$/);
const order = z.strictObject({ invoiceNumber: short, description: z.string().max(255) });
const DUPLICATE_WINDOW = z.strictObject({
  settingName: z.literal('duplicateWindow'),
  settingValue: z.literal('28800'),
});
const settings = z.strictObject({
  setting: z.tuple([
    z.strictObject({ settingName: z.literal('allowPartialAuth'), settingValue: z.literal('false') }),
    DUPLICATE_WINDOW,
  ]),
});
const opaqueData = z.strictObject({
  dataDescriptor: z.literal('COMMON.ACCEPT.INAPP.PAYMENT'),
  dataValue: z.string(),
});
const creditCard = z.strictObject({
  cardNumber: z.string().regex(/^\d{13,16}$/),
  expirationDate: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/),
  cardCode: z.string().regex(/^\d{3,4}$/),
});

/** `bankAccountType`: the lengths are the schema's. A check number is for ARC and BOC only. */
const bankAccount = z.strictObject({
  accountType: z.enum(['checking', 'savings']),
  routingNumber: z.string().regex(/^\d{9}$/),
  accountNumber: z.string().regex(/^\d{1,17}$/),
  nameOnAccount: z.string().min(1).max(22),
  echeckType: z.enum(['TEL', 'PPD', 'WEB', 'CCD']),
});
export type BankAccount = z.output<typeof bankAccount>;

/** "For refunds, use XXXX plus" the last digits of the account (features/echeck.html), as the details show them. */
const maskedAccount = z.strictObject({
  accountType: z.enum(['checking', 'savings']),
  routingNumber: z.string().regex(/^XXXX\d{4}$/),
  accountNumber: z.string().regex(/^XXXX\d{4}$/),
  nameOnAccount: z.string().min(1).max(22),
  echeckType: z.enum(['PPD', 'CCD']),
});

const DEBIT = z.strictObject({
  transactionType: z.literal('authCaptureTransaction'),
  amount,
  currencyCode: z.literal('USD'),
  payment: z.strictObject({ bankAccount }),
  order,
  transactionSettings: z.strictObject({ setting: z.tuple([DUPLICATE_WINDOW]) }),
});
export type Debit = z.output<typeof DEBIT>;

const CAPTURE = z.strictObject({
  transactionType: z.enum(['authCaptureTransaction', 'authOnlyTransaction']),
  amount,
  currencyCode: z.literal('USD'),
  payment: z.union([z.strictObject({ creditCard }), z.strictObject({ opaqueData })]).optional(),
  profile: z
    .strictObject({ customerProfileId: numeric, paymentProfile: z.strictObject({ paymentProfileId: numeric }) })
    .optional(),
  order,
  billTo: z.strictObject({ zip: z.string().max(20) }).optional(),
  retail: z.strictObject({ marketType: z.literal('1'), deviceType: z.literal('1') }).optional(),
  transactionSettings: settings,
});
export type Capture = z.output<typeof CAPTURE>;

const REFUND = z.strictObject({
  transactionType: z.literal('refundTransaction'),
  amount,
  currencyCode: z.literal('USD'),
  payment: z.union([
    z.strictObject({
      creditCard: z.strictObject({ cardNumber: z.string().regex(/^\d{4}$/), expirationDate: z.literal('XXXX') }),
    }),
    z.strictObject({ bankAccount: maskedAccount }),
  ]),
  refTransId: numeric,
  order,
  transactionSettings: z.union([settings, z.strictObject({ setting: z.tuple([DUPLICATE_WINDOW]) })]),
});
export type RefundOrder = z.output<typeof REFUND>;

const CAPTURE_HOLD = z.strictObject({
  transactionType: z.literal('priorAuthCaptureTransaction'),
  amount,
  refTransId: z.string(),
});

const VOID = z.strictObject({ transactionType: z.literal('voidTransaction'), refTransId: z.string() });

/** The transactions, by type. */
export const TRANSACTIONS = z.union([
  DEBIT,
  z.discriminatedUnion('transactionType', [CAPTURE, CAPTURE_HOLD, REFUND, VOID]),
]);

const paging = z.strictObject({ limit: z.int().min(1).max(1_000), offset: z.int().min(1).max(100_000) });
const sorting = z.strictObject({ orderBy: z.literal('submitTimeUTC'), orderDescending: z.literal(true) });

/** By operation, without `merchantAuthentication` and `refId`. */
export const REQUESTS = {
  createTransaction: z.strictObject({ transactionRequest: z.looseObject({ transactionType: z.string() }) }),
  getTransactionDetails: z.strictObject({ transId: z.string() }),
  getUnsettledTransactionList: z.strictObject({ sorting: sorting.optional(), paging }),
  getSettledBatchList: z.strictObject({
    includeStatistics: z.boolean(),
    firstSettlementDate: z.iso.datetime(),
    lastSettlementDate: z.iso.datetime(),
  }),
  getTransactionList: z.strictObject({ batchId: numeric, sorting, paging }),
  getMerchantDetails: z.strictObject({}),
  createCustomerProfile: z.strictObject({
    profile: z.strictObject({
      merchantCustomerId: short,
      paymentProfiles: z.tuple([
        z.strictObject({
          billTo: z.strictObject({ zip: z.string().max(20) }).optional(),
          payment: z.union([z.strictObject({ creditCard }), z.strictObject({ opaqueData })]),
        }),
      ]),
    }),
    validationMode: z.literal('liveMode'),
  }),
  createCustomerProfileFromTransaction: z.strictObject({
    transId: numeric,
    customer: z.strictObject({ merchantCustomerId: short }),
  }),
  getCustomerProfile: z.strictObject({ merchantCustomerId: short, unmaskExpirationDate: z.literal(true) }),
  deleteCustomerProfile: z.strictObject({ customerProfileId: numeric }),
};
export type Operation = keyof typeof REQUESTS;
export type Body<Name extends Operation> = z.output<(typeof REQUESTS)[Name]>;

/** The order of members, over all objects of the schema that we send. */
const ORDERS: readonly (readonly string[])[] = [
  ['merchantAuthentication', 'refId', 'transactionRequest'],
  ['merchantAuthentication', 'refId', 'sorting', 'paging'],
  ['merchantAuthentication', 'refId', 'batchId', 'sorting', 'paging'],
  ['merchantAuthentication', 'refId', 'includeStatistics', 'firstSettlementDate', 'lastSettlementDate'],
  ['merchantAuthentication', 'refId', 'profile', 'validationMode'],
  ['merchantAuthentication', 'refId', 'transId', 'customer'],
  ['merchantAuthentication', 'refId', 'customerProfileId', 'merchantCustomerId', 'email', 'unmaskExpirationDate'],
  ['name', 'transactionKey'],
  [
    'transactionType',
    'amount',
    'currencyCode',
    'payment',
    'profile',
    'refTransId',
    'order',
    'customer',
    'billTo',
    'retail',
    'transactionSettings',
  ],
  ['marketType', 'deviceType'],
  ['accountType', 'routingNumber', 'accountNumber', 'nameOnAccount', 'echeckType', 'bankName', 'checkNumber'],
  ['cardNumber', 'expirationDate', 'cardCode'],
  ['dataDescriptor', 'dataValue'],
  ['customerProfileId', 'paymentProfile'],
  ['invoiceNumber', 'description'],
  ['settingName', 'settingValue'],
  ['orderBy', 'orderDescending'],
  ['limit', 'offset'],
  ['merchantCustomerId', 'paymentProfiles'],
  ['customerType', 'billTo', 'payment'],
];

/** The first object whose members are in no order of the schema; null if there is none. */
export function disorderIn(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  if (!Array.isArray(value)) {
    const names = Object.keys(value);
    const isOrdered = names.length < 2 || ORDERS.some((order) => isWithin(names, order));
    if (!isOrdered) return names.join(', ');
  }
  for (const inner of Object.values(value)) {
    const disorder = disorderIn(inner);
    if (disorder !== null) return disorder;
  }
  return null;
}

function isWithin(names: readonly string[], order: readonly string[]): boolean {
  const places = names.map((name) => order.indexOf(name));
  return places.every((place, at) => place >= 0 && place > (places[at - 1] ?? -1));
}
