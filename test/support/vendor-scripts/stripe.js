/**
 * A fake of Stripe.js according to its published types (@stripe/stripe-js): it refuses unknown options, and calls in an
 * order that Stripe does not allow. Its fields are plain inputs in a box without frames. It finds a token's number in
 * `window.standIn`, and ends the bank's dialog with the result of `window.askBank`; the test fills both.
 *
 * @typedef {import('@stripe/stripe-js').StripeElementsOptionsMode} ElementsOptions
 * @typedef {import('@stripe/stripe-js').StripeElementsUpdateOptions} UpdateOptions
 * @typedef {import('@stripe/stripe-js').StripePaymentElementOptions} PaymentOptions
 * @typedef {import('@stripe/stripe-js').StripeExpressCheckoutElementOptions} ExpressOptions
 * @typedef {import('@stripe/stripe-js').StripeConstructorOptions} ConstructorOptions
 * @typedef {{
 *   calls: { name: string, args: unknown }[],
 *   tokens: Record<string, string>,
 *   wallet: 'apple_pay' | 'google_pay' | null,
 *   submitError: { type: string } | null,
 *   tokenError: { type: string } | null,
 *   failsToLoad: boolean,
 *   violations: string[],
 * }} StandIn
 */
{
  /** @type {StandIn} */
  const standIn = {
    calls: [],
    tokens: {},
    wallet: null,
    submitError: null,
    tokenError: null,
    failsToLoad: false,
    violations: [],
    .../** @type {{ standIn?: Partial<StandIn> }} */ (/** @type {unknown} */ (window)).standIn,
  };
  Object.assign(window, { standIn });

  /** @param {string} message @returns {never} */
  const refuse = (message) => {
    standIn.violations.push(message);
    throw new Error(`IntegrationError: ${message}`);
  };

  /** @param {string} name @param {unknown} args */
  const called = (name, args) => standIn.calls.push({ name, args: JSON.parse(JSON.stringify(args ?? null)) });

  /** @param {string} where @param {object} given @param {Record<string, unknown>} known */
  const checkKeys = (where, given, known) => {
    for (const key of Object.keys(given)) {
      if (!Object.hasOwn(known, key)) refuse(`${where}: ${key} is no option`);
    }
  };

  /** @type {Record<keyof ConstructorOptions, 1>} */
  const CONSTRUCTOR = { stripeAccount: 1, apiVersion: 1, locale: 1, betas: 1, developerTools: 1 };
  /** Options that a page without an intent may use. @type {Partial<Record<keyof ElementsOptions | 'amount', 1>>} */
  const ELEMENTS = {
    mode: 1,
    amount: 1,
    currency: 1,
    allowedPaymentMethodTypes: 1,
    locale: 1,
    appearance: 1,
    fonts: 1,
    loader: 1,
    setupFutureUsage: 1,
    captureMethod: 1,
    excludedPaymentMethodTypes: 1,
    onBehalfOf: 1,
    paymentMethodOptions: 1,
  };
  /** @type {Partial<Record<keyof UpdateOptions, 1>>} */
  const UPDATE = { mode: 1, amount: 1, currency: 1, setupFutureUsage: 1, locale: 1, appearance: 1, captureMethod: 1 };
  /** @type {Record<keyof PaymentOptions, 1>} */
  const PAYMENT = {
    defaultValues: 1,
    business: 1,
    paymentMethodOrder: 1,
    fields: 1,
    readOnly: 1,
    terms: 1,
    wallets: 1,
    walletOptions: 1,
    layout: 1,
    applePay: 1,
  };
  /** @type {Record<keyof ExpressOptions, 1>} */
  const EXPRESS = {
    allowedShippingCountries: 1,
    applePay: 1,
    billingAddressRequired: 1,
    business: 1,
    buttonHeight: 1,
    buttonTheme: 1,
    buttonType: 1,
    emailRequired: 1,
    layout: 1,
    lineItems: 1,
    paymentMethodOrder: 1,
    paymentMethods: 1,
    phoneNumberRequired: 1,
    shippingAddressRequired: 1,
    shippingRates: 1,
    wallets: 1,
  };
  /** @type {Record<keyof NonNullable<ExpressOptions['paymentMethods']>, 1>} */
  const METHODS = { amazonPay: 1, applePay: 1, googlePay: 1, link: 1, paypal: 1, klarna: 1 };
  const AUTHENTICATION_FAILURE = 'payment_intent_authentication_failure';
  const LOCALES = ['auto', 'en', 'es', 'fr', 'de'];

  /** An element: its box and its listeners. @param {string} type */
  const elementOf = (type) => {
    /** @type {Map<string, (event: object) => void>} */
    const listeners = new Map();
    return {
      type,
      isMounted: false,
      /** @param {string} name @param {(event: object) => void} handler */
      on(name, handler) {
        listeners.set(name, handler);
        return this;
      },
      /** @param {string} name @param {object} event */
      tell(name, event) {
        listeners.get(name)?.({ elementType: type, ...event });
      },
      /** @param {HTMLElement | string} place */
      mount(place) {
        const box = typeof place === 'string' ? document.querySelector(place) : place;
        if (!(box instanceof HTMLElement)) return refuse(`${type}: no place`);
        if (box.childNodes.length > 0) console.warn('Stripe: the place of an element should be empty');
        this.isMounted = true;
        return this.draw(box);
      },
      /** @type {(box: HTMLElement) => unknown} */
      draw: () => undefined,
    };
  };

  /** @param {ElementsOptions} options */
  const elementsOf = (options) => {
    called('elements', options);
    checkKeys('elements', options, ELEMENTS);
    const isSetup = options.mode === 'setup';
    if (!['payment', 'setup'].includes(options.mode ?? '')) refuse('elements: mode');
    if (!/^[a-z]{3}$/.test(options.currency ?? '')) refuse('elements: currency is lower case');
    if ('amount' in options ? isSetup || !Number.isSafeInteger(options.amount) : !isSetup) refuse('elements: amount');
    if (!LOCALES.includes(options.locale ?? 'auto')) refuse('elements: locale');
    const state = { usage: options.setupFutureUsage ?? null, isSubmitted: false, number: () => '' };
    /** @type {ReturnType<typeof elementOf>[]} */
    const made = [];

    /** @param {PaymentOptions} given */
    const payment = (given) => {
      checkKeys('payment', given, PAYMENT);
      const element = elementOf('payment');
      element.draw = (box) => {
        if (standIn.failsToLoad) return setTimeout(() => element.tell('loaderror', { error: { type: 'api_error' } }));
        const label = document.createElement('label');
        label.textContent = 'Card number';
        const input = document.createElement('input');
        input.autocomplete = 'cc-number';
        label.append(input);
        box.append(label);
        state.number = () => input.value.replaceAll(' ', '');
        return setTimeout(() => element.tell('ready', {}));
      };
      return element;
    };

    /** @param {ExpressOptions} given */
    const express = (given) => {
      checkKeys('expressCheckout', given, EXPRESS);
      checkKeys('expressCheckout.paymentMethods', given.paymentMethods ?? {}, METHODS);
      const element = elementOf('expressCheckout');
      element.draw = (box) => {
        const wallet = standIn.wallet;
        if (wallet === null) return setTimeout(() => element.tell('ready', { availablePaymentMethods: undefined }));
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = wallet;
        button.onclick = () => {
          const opened = { done: false };
          element.tell('click', {
            expressPaymentType: wallet,
            resolve: () => {
              opened.done = true;
            },
            reject: () => undefined,
          });
          if (!opened.done) return refuse('click: not resolved within a second');
          state.number = () => wallet;
          return element.tell('confirm', {
            expressPaymentType: wallet,
            paymentFailed: (/** @type {object} */ reason) => called('paymentFailed', reason),
          });
        };
        box.append(button);
        const available = { amazonPay: false, link: false, paypal: false, klarna: false };
        const wallets = { applePay: wallet === 'apple_pay', googlePay: wallet === 'google_pay' };
        return setTimeout(() => element.tell('ready', { availablePaymentMethods: { ...available, ...wallets } }));
      };
      return element;
    };

    return {
      state,
      /** @param {string} type @param {object} given */
      create(type, given = {}) {
        called(`create ${type}`, given);
        if (made.some((element) => element.type === type)) refuse(`create: a second ${type}`);
        if (type !== 'payment' && type !== 'expressCheckout') return refuse(`create: ${type}`);
        const element = type === 'payment' ? payment(given) : express(given);
        made.push(element);
        return element;
      },
      /** @param {UpdateOptions} given */
      async update(given) {
        called('update', given);
        checkKeys('update', given, UPDATE);
        if (given.setupFutureUsage !== undefined) state.usage = given.setupFutureUsage;
      },
      async submit() {
        called('submit', null);
        if (standIn.submitError !== null) return { error: standIn.submitError };
        if (state.number() === '') return { error: { type: 'validation_error', code: 'incomplete_number' } };
        state.isSubmitted = true;
        return { selectedPaymentMethod: 'card' };
      },
    };
  };

  /** @param {string} key @param {ConstructorOptions} options */
  const Stripe = (key, options = {}) => {
    called('Stripe', { key, options });
    checkKeys('Stripe', options, CONSTRUCTOR);
    if (!/^pk_(test|live)_/.test(key)) refuse('Stripe: a publishable key');
    if (options.apiVersion !== undefined) refuse('Stripe: apiVersion is pinned to the script');
    return {
      elements: elementsOf,
      /** @param {{ elements: ReturnType<typeof elementsOf>, params?: object }} given */
      async createConfirmationToken({ elements, ...others }) {
        called('createConfirmationToken', { usage: elements.state.usage, ...others });
        checkKeys('createConfirmationToken', others, { params: 1 });
        if (!elements.state.isSubmitted) refuse('createConfirmationToken: elements.submit() comes first');
        if (standIn.tokenError !== null) return { error: standIn.tokenError };
        const id = standIn.tokens[elements.state.number()];
        if (id === undefined) return { error: { type: 'card_error', code: 'card_declined' } };
        return { confirmationToken: { id, object: 'confirmation_token', livemode: false } };
      },
      /** @param {{ clientSecret: string }} given */
      async handleNextAction(given) {
        called('handleNextAction', given);
        checkKeys('handleNextAction', given, { clientSecret: 1 });
        if (!/^(?:pi|seti)_\w+_secret_\w+$/.test(given.clientSecret)) refuse('handleNextAction: a client secret');
        const { askBank } = /** @type {{ askBank?: (secret: string) => Promise<boolean> }} */ (
          /** @type {unknown} */ (window)
        );
        const isConfirmed = (await askBank?.(given.clientSecret)) ?? false;
        const isSetup = given.clientSecret.startsWith('seti_');
        const code = isSetup ? AUTHENTICATION_FAILURE.replace('payment', 'setup') : AUTHENTICATION_FAILURE;
        if (!isConfirmed) return { error: { type: 'invalid_request_error', code } };
        if (isSetup) return { setupIntent: { status: 'succeeded' } };
        return { paymentIntent: { status: 'requires_confirmation' } };
      },
    };
  };
  Object.assign(window, { Stripe });
}
