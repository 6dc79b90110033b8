/**
 * A fake of Braintree's client and Hosted Fields (github.com/braintree/braintree-web, 3.136.0), which the page loads as
 * two scripts. It refuses options, styles and fields that Braintree does not have. Its fields are inputs without frames. It
 * finds a token's number in `window.standIn`, which the test fills.
 *
 * @typedef {{ container: HTMLElement, internalLabel?: string, iframeTitle?: string, placeholder?: string }} Field
 * @typedef {{ isEmpty: boolean, isValid: boolean, isPotentiallyValid: boolean, isFocused: boolean, container: HTMLElement }} State
 * @typedef {{
 *   calls: { name: string, args: unknown }[],
 *   tokens: Record<string, string>,
 *   error: string | null,
 *   violations: string[],
 * }} StandIn
 */
{
  /** @type {StandIn} */
  const standIn = {
    calls: [],
    tokens: {},
    error: null,
    violations: [],
    .../** @type {{ standIn?: Partial<StandIn> }} */ (/** @type {unknown} */ (window)).standIn,
  };
  Object.assign(window, { standIn });

  /** @param {string} message @returns {never} */
  const refuse = (message) => {
    standIn.violations.push(message);
    throw Object.assign(new Error(message), { code: 'HOSTED_FIELDS_INVALID' });
  };

  /** @param {string} where @param {object} given @param {readonly string[]} known */
  const checkKeys = (where, given, known) => {
    for (const key of Object.keys(given)) {
      if (!known.includes(key)) refuse(`${where}: ${key} is not in the reference`);
    }
  };

  const FIELD = ['container', 'placeholder', 'type', 'iframeTitle', 'internalLabel', 'formatInput', 'maskInput'];
  const FIELDS = [
    'number',
    'expirationDate',
    'expirationMonth',
    'expirationYear',
    'cvv',
    'postalCode',
    'cardholderName',
  ];
  const STYLES = [
    'color',
    'font',
    'font-family',
    'font-size',
    'font-weight',
    'letter-spacing',
    'line-height',
    'padding',
  ];
  const EVENTS = ['focus', 'blur', 'empty', 'notEmpty', 'cardTypeChange', 'validityChange', 'inputSubmitRequest'];

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
    number: (value) => /^\d{12,19}$/.test(value.replaceAll(' ', '')) && passesLuhn(value.replaceAll(' ', '')),
    expirationDate: (value) => /^(0[1-9]|1[0-2]) ?\/ ?(20)?\d\d$/.test(value),
    cvv: (value) => /^\d{3,4}$/.test(value),
    postalCode: (value) => /^[\w -]{3,8}$/.test(value),
  };

  class HostedFields {
    /** @type {Record<string, HTMLInputElement>} */
    #inputs = {};
    /** @type {Record<string, State>} */
    #states = {};
    /** @type {Map<string, ((event: object) => void)[]>} */
    #handlers = new Map();

    /** @param {Record<string, Field>} fields */
    constructor(fields) {
      for (const [key, field] of Object.entries(fields)) this.#add(key, field);
    }

    /** @param {string} key @param {Field} field */
    #add(key, { container, internalLabel = key, placeholder = '' }) {
      const input = document.createElement('input');
      Object.assign(input, { type: 'text', placeholder });
      input.setAttribute('aria-label', internalLabel);
      // Its frame fills the container.
      Object.assign(input.style, { height: '100%', padding: '0', border: '0', outline: '0' });
      container.append(input);
      this.#inputs[key] = input;
      this.#states[key] = {
        isEmpty: true,
        isValid: false,
        isPotentiallyValid: true,
        isFocused: false,
        container,
      };
      input.addEventListener('focus', () => this.#emit('focus', key));
      input.addEventListener('blur', () => this.#emit('blur', key));
      input.addEventListener('input', () => {
        const isValid = VALID[key]?.(input.value) ?? true;
        const isPotentiallyValid = isValid || /^[\d /]*$/.test(input.value);
        Object.assign(this.#states[key] ?? {}, { isEmpty: input.value === '', isValid, isPotentiallyValid });
        this.#emit('validityChange', key);
      });
      input.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        this.#emit('inputSubmitRequest', key);
      });
    }

    /** @param {string} event @param {string} emittedBy */
    #emit(event, emittedBy) {
      for (const handler of this.#handlers.get(event) ?? []) handler({ emittedBy, fields: this.#states, cards: [] });
    }

    /** @param {string} event @param {(event: object) => void} handler */
    on(event, handler) {
      if (!EVENTS.includes(event)) refuse(`on: ${event}`);
      this.#handlers.set(event, [...(this.#handlers.get(event) ?? []), handler]);
    }

    /** @param {object} [options] */
    async tokenize(options = {}) {
      standIn.calls.push({ name: 'tokenize', args: options });
      checkKeys('tokenize', options, ['vault', 'fieldsToTokenize', 'cardholderName', 'billingAddress']);
      const values = Object.entries(this.#inputs).map(([key, input]) => /** @type {const} */ ([key, input.value]));
      if (values.every(([, value]) => value === '')) throw this.#error('HOSTED_FIELDS_FIELDS_EMPTY');
      const wrong = values.flatMap(([key, value]) => (VALID[key]?.(value) === false ? [key] : []));
      if (wrong.length > 0) throw this.#error('HOSTED_FIELDS_FIELDS_INVALID', wrong);
      if (standIn.error !== null) throw this.#error(standIn.error);
      const nonce = standIn.tokens[this.#inputs.number?.value.replaceAll(' ', '') ?? ''];
      if (nonce === undefined) throw this.#error('HOSTED_FIELDS_FAILED_TOKENIZATION');
      return { nonce, type: 'CreditCard', details: {}, description: '' };
    }

    /** @param {string} code @param {string[]} [invalidFieldKeys] */
    #error(code, invalidFieldKeys = []) {
      const invalidFields = Object.fromEntries(invalidFieldKeys.map((key) => [key, this.#states[key]?.container]));
      return Object.assign(new Error(code), { code, details: { invalidFieldKeys, invalidFields } });
    }
  }

  const clients = new WeakSet();

  Object.assign(window, {
    braintree: {
      client: {
        /** @param {{ authorization: string }} options */
        async create(options) {
          standIn.calls.push({ name: 'client', args: options });
          checkKeys('client', options, ['authorization']);
          if (!/^(sandbox|production)_\w+_\w+$/.test(options.authorization)) refuse('client: authorization');
          const client = {};
          clients.add(client);
          return client;
        },
      },
      hostedFields: {
        /** @param {{ client: object, styles: Record<string, object>, fields: Record<string, Field> }} options */
        async create({ client, styles = {}, fields, ...others }) {
          checkKeys('create', others, ['authorization', 'preventAutofill', 'sessionId']);
          if (!clients.has(client)) refuse('create: no client');
          for (const [selector, style] of Object.entries(styles)) checkKeys(`style ${selector}`, style, STYLES);
          checkKeys('fields', fields, FIELDS);
          for (const [key, field] of Object.entries(fields)) {
            checkKeys(key, field, FIELD);
            if (!(field.container instanceof HTMLElement) || !field.container.isConnected) refuse(`${key}: container`);
            if (field.container.childElementCount > 0) refuse(`${key}: the container has a field`);
          }
          standIn.calls.push({ name: 'fields', args: Object.keys(fields) });
          return new HostedFields(fields);
        },
      },
    },
  });
}
