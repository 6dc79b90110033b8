/**
 * A fake of Square's Web Payments SDK according to its published types (@square/web-payments-sdk-types): it refuses
 * unknown options and details, and missing ones that Square requires. It finds a token's number in `window.standIn`,
 * which the test fills.
 *
 * @typedef {import('@square/web-payments-sdk-types').CardOptions} CardOptions
 * @typedef {import('@square/web-payments-sdk-types').CardClassSelectors} CardClassSelectors
 * @typedef {import('@square/web-payments-sdk-types').ChargeCardVerificationDetails} Details
 * @typedef {import('@square/web-payments-sdk-types').PaymentRequestOptions} RequestOptions
 * @typedef {import('@square/web-payments-sdk-types').GooglePayButtonOptions} GoogleOptions
 * @typedef {import('@square/web-payments-sdk-types').TokenResult} TokenResult
 * @typedef {{
 *   calls: { name: string, args: unknown }[],
 *   tokens: Record<string, string>,
 *   wallets: ('apple_pay' | 'google_pay')[],
 *   result: TokenResult | null,
 *   thrown: { errors: object[] } | null,
 *   violations: string[],
 * }} StandIn
 */
{
  /** @type {StandIn} */
  const standIn = {
    calls: [],
    tokens: {},
    wallets: [],
    result: null,
    thrown: null,
    violations: [],
    .../** @type {{ standIn?: Partial<StandIn> }} */ (/** @type {unknown} */ (window)).standIn,
  };
  Object.assign(window, { standIn });

  /** @param {string} message @returns {never} */
  const refuse = (message) => {
    standIn.violations.push(message);
    throw new Error(message);
  };

  /** @param {string} name @param {unknown} args */
  const called = (name, args) => standIn.calls.push({ name, args: JSON.parse(JSON.stringify(args ?? null)) });

  /** @param {string} where @param {object} given @param {Record<string, unknown>} known */
  const checkKeys = (where, given, known) => {
    for (const key of Object.keys(given)) {
      if (!Object.hasOwn(known, key)) refuse(`${where}: ${key} is no option`);
    }
  };

  /** @type {Record<keyof CardOptions, 1>} */
  const CARD = { includeInputLabels: 1, postalCode: 1, style: 1 };
  /** @type {Record<string, 1>} */
  const TEXT = { color: 1 };
  /** @type {Record<string, 1>} */
  const INPUT = { backgroundColor: 1, color: 1, fontFamily: 1, fontSize: 1, fontWeight: 1 };
  /** @type {Record<string, 1>} */
  const BORDER = { borderColor: 1, borderWidth: 1 };
  /** @type {Record<string, Record<string, 1>>} */
  const STYLE = {
    input: INPUT,
    'input.is-focus': INPUT,
    'input::placeholder': TEXT,
    'input.is-focus::placeholder': TEXT,
    'input.is-error': INPUT,
    'input.is-error::placeholder': TEXT,
    '.message-text': TEXT,
    '.message-icon': TEXT,
    '.message-text.is-error': TEXT,
    '.message-icon.is-error': TEXT,
    '.input-container.is-focus': BORDER,
    '.input-container.is-error': BORDER,
    '.input-container': { ...BORDER, borderRadius: 1 },
  };
  /** All are required. @type {Record<keyof Details, (value: never) => boolean>} */
  const DETAILS = {
    amount: (/** @type {string} */ value) => /^\d+(\.\d+)?$/.test(value),
    currencyCode: (/** @type {string} */ value) => /^[A-Z]{3}$/.test(value),
    intent: (/** @type {string} */ value) => ['CHARGE', 'CHARGE_AND_STORE'].includes(value),
    billingContact: (/** @type {object} */ value) => typeof value === 'object',
    customerInitiated: (/** @type {boolean} */ value) => typeof value === 'boolean',
    sellerKeyedIn: (/** @type {boolean} */ value) => typeof value === 'boolean',
  };
  const { amount: _amount, currencyCode: _currency, ...STORED } = DETAILS;
  /** Without a charge (StoreVerificationDetails). */
  const STORE_DETAILS = { ...STORED, intent: (/** @type {string} */ value) => value === 'STORE' };
  /** @type {Record<keyof RequestOptions, 1>} */
  const REQUEST = {
    countryCode: 1,
    currencyCode: 1,
    discounts: 1,
    lineItems: 1,
    pickupContact: 1,
    requestBillingContact: 1,
    requestShippingContact: 1,
    shippingContact: 1,
    shippingLineItems: 1,
    shippingOptions: 1,
    taxLineItems: 1,
    total: 1,
  };
  /** @type {Record<keyof GoogleOptions, 1>} */
  const GOOGLE = { buttonColor: 1, buttonSizeMode: 1, buttonType: 1, buttonRadius: 1, buttonBorderType: 1 };

  /** @param {string} name @param {string} method @returns {Promise<TokenResult>} */
  const tokenize = async (name, method) => {
    if (standIn.thrown !== null) throw Object.assign(new Error('TokenizationError'), standIn.thrown);
    if (standIn.result !== null) return standIn.result;
    const token = standIn.tokens[name];
    if (token === undefined) {
      const error = { type: 'VALIDATION_ERROR', field: 'cardNumber', message: 'Card number is not valid' };
      return { status: 'Invalid', errors: [error] };
    }
    const details = /** @type {{ method: 'Card' }} */ ({ method });
    return { status: 'OK', token, details };
  };

  /** @param {CardOptions} options */
  const card = async (options = {}) => {
    called('card', options);
    checkKeys('card', options, CARD);
    for (const [selector, properties] of Object.entries(options.style ?? {})) {
      const known = STYLE[selector] ?? refuse(`card style: ${selector}`);
      checkKeys(`card style ${selector}`, properties ?? {}, known);
    }
    /** @type {HTMLInputElement | null} */
    let input = null;
    return {
      /** @param {HTMLElement} place */
      async attach(place) {
        if (input !== null) refuse('attach: a second time');
        const label = document.createElement('label');
        label.textContent = 'Card number';
        input = document.createElement('input');
        label.append(input);
        place.append(label);
      },
      /** @param {Details} details */
      async tokenize(details) {
        called('tokenize', details);
        if (input === null) return refuse('tokenize: the card is not attached');
        const { intent } = /** @type {{ intent: string }} */ (details);
        const isStoring = intent === 'STORE';
        checkKeys('tokenize', details, isStoring ? STORE_DETAILS : DETAILS);
        for (const [name, fits] of Object.entries(isStoring ? STORE_DETAILS : DETAILS)) {
          const value = /** @type {never} */ (details[/** @type {keyof Details} */ (name)]);
          if (!fits(value)) refuse(`tokenize: ${name}`);
        }
        return tokenize(input.value.replaceAll(' ', ''), 'Card');
      },
    };
  };

  /** @param {RequestOptions} options */
  const paymentRequest = (options) => {
    called('paymentRequest', options);
    checkKeys('paymentRequest', options, REQUEST);
    if (!/^[A-Z]{2}$/.test(options.countryCode) || !/^[A-Z]{3}$/.test(options.currencyCode)) refuse('paymentRequest');
    if (!/^\d+(\.\d+)?$/.test(options.total.amount) || options.total.label === '') refuse('paymentRequest: total');
    return { options };
  };

  const unsupported = () => Object.assign(new Error('unsupported'), { name: 'PaymentMethodUnsupportedError' });

  const payments = () => ({
    /** @param {string} locale */
    async setLocale(locale) {
      called('setLocale', locale);
      return { previousLocale: 'en-US', newLocale: locale };
    },
    card,
    paymentRequest,
    async applePay() {
      if (!standIn.wallets.includes('apple_pay')) throw unsupported();
      return { tokenize: () => tokenize('apple_pay', 'Apple Pay') };
    },
    async googlePay() {
      if (!standIn.wallets.includes('google_pay')) throw unsupported();
      return {
        /** @param {HTMLElement} place @param {GoogleOptions} options */
        async attach(place, options = {}) {
          checkKeys('googlePay', options, GOOGLE);
          const button = document.createElement('button');
          button.type = 'button';
          button.textContent = 'Google Pay';
          place.append(button);
        },
        tokenize: () => tokenize('google_pay', 'Google Pay'),
      };
    },
  });

  Object.assign(window, {
    Square: {
      /** @param {string} applicationId @param {string} [locationId] */
      payments(applicationId, locationId) {
        called('payments', { applicationId, locationId });
        if (!window.isSecureContext) refuse('WebSdkEmbedError: an insecure context');
        if (!/^(sandbox-)?sq0id[bp]-/.test(applicationId)) refuse('payments: applicationId');
        return payments();
      },
    },
  });
}
