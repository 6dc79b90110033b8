/**
 * A fake of Adyen Web's Custom Card (github.com/Adyen/adyen-web, 6.44.0): it refuses options that its declarations do not
 * have, and a core without a country. Its fields are inputs without frames. It finds the encrypted card by its number in
 * `window.standIn`, which the test fills.
 *
 * @typedef {{ error?: string, fieldType: string }} FieldError
 * @typedef {{
 *   styles?: Record<string, object>,
 *   onChange?: (state: object) => void,
 *   onConfigSuccess?: () => void,
 *   onError?: (error: Error) => void,
 *   onFocus?: (event: object) => void,
 *   onValidationError?: (errors: FieldError[]) => void,
 *   onEnterKeyPressed?: () => void,
 * }} Options
 * @typedef {{
 *   calls: { name: string, args: unknown }[],
 *   tokens: Record<string, string>,
 *   failsToStart: boolean,
 *   violations: string[],
 * }} StandIn
 */
{
  /** @type {StandIn} */
  const standIn = {
    calls: [],
    tokens: {},
    failsToStart: false,
    violations: [],
    .../** @type {{ standIn?: Partial<StandIn> }} */ (/** @type {unknown} */ (window)).standIn,
  };
  Object.assign(window, { standIn });

  /** @param {string} where @param {object} given @param {readonly string[]} known */
  const checkKeys = (where, given, known) => {
    for (const key of Object.keys(given)) {
      if (!known.includes(key)) standIn.violations.push(`${where}: ${key} is not declared`);
    }
  };

  const CORE = ['clientKey', 'environment', 'locale', 'countryCode', 'amount', 'analytics', 'onError'];
  const CALLBACKS = ['onChange', 'onConfigSuccess', 'onError', 'onFocus', 'onValidationError', 'onEnterKeyPressed'];
  const STYLES = ['color', 'fontFamily', 'fontSize', 'fontWeight', 'letterSpacing', 'lineHeight', 'padding'];
  const FIELDS = ['encryptedCardNumber', 'encryptedExpiryDate', 'encryptedSecurityCode'];
  const PARTS = ['encryptedCardNumber', 'encryptedExpiryMonth', 'encryptedExpiryYear', 'encryptedSecurityCode'];
  const cores = new WeakSet();

  /** @param {string} digits */
  const passesLuhn = (digits) =>
    [...digits]
      .reverse()
      .map((digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 2))
      .reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) %
      10 ===
    0;

  /** @type {Record<string, (value: string) => boolean>} */
  const VALID = {
    encryptedCardNumber: (value) =>
      /^\d{12,19}$/.test(value.replaceAll(' ', '')) && passesLuhn(value.replaceAll(' ', '')),
    encryptedExpiryDate: (value) => /^(0[1-9]|1[0-2])\/\d\d$/.test(value),
    encryptedSecurityCode: (value) => /^\d{3,4}$/.test(value),
  };

  class CustomCard {
    /** @type {Record<string, HTMLInputElement>} */
    #inputs = {};
    /** @type {Options} */
    #options;

    /** @param {object} core @param {Options} options */
    constructor(core, { styles = {}, ...options }) {
      if (!cores.has(core)) standIn.violations.push('CustomCard: no core');
      checkKeys('CustomCard', options, CALLBACKS);
      checkKeys('styles', styles, ['base', 'error', 'validated', 'placeholder']);
      for (const [name, style] of Object.entries(styles)) checkKeys(`style ${name}`, style, STYLES);
      this.#options = options;
    }

    /** @param {HTMLElement} root */
    mount(root) {
      for (const place of root.querySelectorAll('[data-cse]')) this.#add(place);
      if (Object.keys(this.#inputs).sort().join() !== [...FIELDS].sort().join())
        standIn.violations.push('mount: fields');
      setTimeout(() => {
        if (standIn.failsToStart) this.#options.onError?.(new Error('IMPLEMENTATION_ERROR'));
        else this.#options.onConfigSuccess?.();
      });
    }

    /** @param {Element} place */
    #add(place) {
      const fieldType = place.getAttribute('data-cse') ?? '';
      const input = document.createElement('input');
      // Its frame fills the element. Adyen names it in the language of the core.
      Object.assign(input.style, { height: '100%', padding: '0', border: '0', outline: '0' });
      input.setAttribute('aria-label', fieldType);
      input.addEventListener('focus', () => this.#options.onFocus?.({ fieldType, focus: true }));
      input.addEventListener('blur', () => this.#options.onFocus?.({ fieldType, focus: false }));
      input.addEventListener('input', () => this.#change());
      input.addEventListener('keydown', ({ key }) => {
        if (key === 'Enter') this.#options.onEnterKeyPressed?.();
      });
      place.append(input);
      this.#inputs[fieldType] = input;
    }

    #change() {
      const fields = Object.entries(this.#inputs);
      const isValid = fields.every(([name, { value }]) => VALID[name]?.(value) === true);
      const number = this.#inputs.encryptedCardNumber?.value.replaceAll(' ', '') ?? '';
      const encrypted = isValid ? (standIn.tokens[number] ?? '').split('~') : [];
      const parts = Object.fromEntries(encrypted.map((part, at) => [PARTS[at] ?? '', part]));
      this.#options.onChange?.({
        data: { paymentMethod: { type: 'scheme', ...parts } },
        isValid,
        errors: {},
        valid: {},
      });
      this.#options.onValidationError?.(
        fields
          .filter(([name, { value }]) => VALID[name]?.(value) === true)
          .map(([fieldType]) => ({ fieldType, error: '' })),
      );
    }

    showValidation() {
      const wrong = Object.entries(this.#inputs).filter(([name, { value }]) => VALID[name]?.(value) !== true);
      this.#options.onValidationError?.(wrong.map(([fieldType]) => ({ fieldType, error: 'cc.num.902' })));
    }
  }

  Object.assign(window, {
    AdyenWeb: {
      CustomCard,
      /** @param {{ clientKey: string, environment: string, countryCode?: string }} options */
      async AdyenCheckout(options) {
        standIn.calls.push({ name: 'AdyenCheckout', args: JSON.parse(JSON.stringify(options)) });
        checkKeys('AdyenCheckout', options, CORE);
        if (!/^(test|live)_\w+$/.test(options.clientKey)) standIn.violations.push('clientKey');
        if (!options.countryCode) throw new Error('You must specify a countryCode when initializing checkout.');
        const core = {};
        cores.add(core);
        return core;
      },
    },
  });
}
