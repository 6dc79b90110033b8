/** Keys and requests of the fake Adyen (github.com/Adyen/adyen-openapi, CheckoutService-v71). */
import { z } from 'zod';

export const API_KEY = 'AQEyhmfxLIrIaBRE-fake-test-key';
/** Of the report service user. */
export const REPORT_API_KEY = 'AQEyhmfxLIrIaBRE-fake-report-key';
export const MERCHANT_ACCOUNT = 'TestMerchantMOTO';
export const HMAC_KEY = '44782DEF547AAA06C910C43932B1EB0C71FC68D9D0C057550C48EC2ACF6BA056';

export const AMOUNT = z.strictObject({ currency: z.string().regex(/^[A-Z]{3}$/), value: z.int().min(0) });
const account = z.literal(MERCHANT_ACCOUNT);
const reference = z.string().min(1).max(80);
export const METHOD = z.union([
  z.strictObject({
    type: z.literal('scheme'),
    number: z.string().regex(/^\d{13,19}$/),
    expiryMonth: z.string().regex(/^(?:0[1-9]|1[0-2])$/),
    expiryYear: z.string().regex(/^20\d\d$/),
    cvc: z.string().regex(/^\d{3,4}$/),
  }),
  z.strictObject({ type: z.literal('scheme'), storedPaymentMethodId: z.string() }),
  z.strictObject({
    type: z.literal('scheme'),
    encryptedCardNumber: z.string(),
    encryptedExpiryMonth: z.string(),
    encryptedExpiryYear: z.string(),
    encryptedSecurityCode: z.string(),
  }),
]);
/** BrowserInfo of CheckoutService-v71, whose fields are required. */
const BROWSER = z.strictObject({
  acceptHeader: z.string().min(1),
  colorDepth: z.int(),
  javaEnabled: z.boolean(),
  language: z.string().min(1),
  screenHeight: z.int(),
  screenWidth: z.int(),
  timeZoneOffset: z.int(),
  userAgent: z.string().min(1),
});
export const NEW_PAYMENT = z
  .strictObject({
    merchantAccount: account,
    amount: AMOUNT,
    reference,
    returnUrl: z.url(),
    paymentMethod: METHOD,
    shopperInteraction: z.enum(['Ecommerce', 'Moto', 'ContAuth']),
    channel: z.literal('Web').optional(),
    authenticationData: z.strictObject({ attemptAuthentication: z.enum(['always', 'never']) }).optional(),
    origin: z.url().optional(),
    shopperIP: z.union([z.ipv4(), z.ipv6()]).optional(),
    browserInfo: BROWSER.optional(),
    shopperReference: z.string().min(3).optional(),
    storePaymentMethod: z.literal(true).optional(),
    recurringProcessingModel: z.enum(['CardOnFile', 'UnscheduledCardOnFile']).optional(),
    captureDelayHours: z.literal(0).optional(),
    additionalData: z.strictObject({ manualCapture: z.literal('true') }).optional(),
    metadata: z.record(z.string().max(20), z.string().max(80)),
  })
  .refine((payment) => {
    const isRecurring = payment.storePaymentMethod === true || 'storedPaymentMethodId' in payment.paymentMethod;
    return !isRecurring || (payment.shopperReference !== undefined && payment.recurringProcessingModel !== undefined);
  }, 'shopperReference and recurringProcessingModel are required')
  // A zero-value auth verifies the card, and there is nothing to capture.
  .refine((payment) => {
    const hasCapture = payment.captureDelayHours !== undefined || payment.additionalData !== undefined;
    return payment.amount.value > 0 ? hasCapture : !hasCapture && payment.storePaymentMethod === true;
  }, 'capture');
export const DETAILS = z.strictObject({ details: z.strictObject({ redirectResult: z.string().min(1) }) });
export const CHANGE = z.strictObject({ merchantAccount: account, reference, amount: AMOUNT });
export const CANCEL = z.strictObject({ merchantAccount: account, reference });
