/**
 * A fake of Worldpay's Access Checkout SDK, version 2 (docs.worldpay.com/access/products/checkout/web). It refuses options
 * that are not documented, and tells of changes by the documented events. Its fields are inputs without frames. It finds a
 * session by the number in `window.standIn`, which the test fills.
 *
 * @typedef {{ selector: string, placeholder?: string }} Field
 * @typedef {{
 *   id: string,
 *   form: string,
 *   fields: Record<string, Field>,
 *   styles?: Record<string, object>,
 *   accessibility?: { ariaLabel?: Record<string, string>, lang?: object, title?: object },
 * }} Options
 * @typedef {{
 *   calls: { name: string, args: unknown }[],
 *   tokens: Record<string, string>,
 *   violations: string[],
 * }} StandIn
 */
{
  /** @type {StandIn} */
  const standIn = {
    calls: [],
    tokens: {},
    violations: [],
    .../** @type {{ standIn?: Partial<StandIn> }} */ (/** @type {unknown} */ (window)).standIn,
  };
  Object.assign(window, { standIn });

  /** @param {string} where @param {object} given @param {readonly string[]} known */
  const checkKeys = (where, given, known) => {
    for (const key of Object.keys(given)) {
      if (!known.includes(key)) standIn.violations.push(`${where}: ${key} is not documented`);
    }
  };

  const OPTIONS = ['id', 'form', 'fields', 'styles', 'accessibility', 'acceptedCardBrands', 'enablePanFormatting'];
  const STYLES = ['color', 'font-weight', 'font-size', 'font-family', 'letter-spacing'];
  const SELECTORS = /^input(#(pan|expiry|cvv))?(\.is-(valid|invalid|onfocus))?$/;

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
    pan: (value) => /^\d{12,19}$/.test(value.replaceAll(' ', '')) && passesLuhn(value.replaceAll(' ', '')),
    expiry: (value) => /^(0[1-9]|1[0-2])\/\d\d$/.test(value),
    cvv: (value) => /^\d{3,4}$/.test(value),
  };

  /** @param {Options} options */
  const checkOptions = (options) => {
    checkKeys('init', options, OPTIONS);
    checkKeys('fields', options.fields, Object.keys(VALID));
    checkKeys('accessibility', options.accessibility ?? {}, ['ariaLabel', 'lang', 'title']);
    checkKeys('title', options.accessibility?.title ?? {}, ['enabled', ...Object.keys(VALID)]);
    for (const [selector, style] of Object.entries(options.styles ?? {})) {
      if (!SELECTORS.test(selector)) standIn.violations.push(`styles: ${selector}`);
      checkKeys(`style ${selector}`, style, STYLES);
    }
  };

  /** @param {Options} options @param {HTMLElement} form */
  const addFields = ({ fields, accessibility }, form) => {
    /** @type {Record<string, HTMLInputElement>} */
    const inputs = {};
    const isFormValid = () => Object.entries(inputs).every(([name, { value }]) => VALID[name]?.(value) === true);
    for (const [name, { selector, placeholder = '' }] of Object.entries(fields)) {
      const place = document.querySelector(selector);
      const input = document.createElement('input');
      if (place === null) throw new Error(`fields: ${selector} is not on the page`);
      Object.assign(input, { type: 'text', placeholder });
      // Its frame fills the element.
      Object.assign(input.style, { height: '100%', padding: '0', border: '0', outline: '0' });
      input.setAttribute('aria-label', accessibility?.ariaLabel?.[name] ?? name);
      input.addEventListener('input', () => {
        const field = { name, $element: place };
        const detail = { field, 'is-valid': VALID[name]?.(input.value) };
        form.dispatchEvent(new CustomEvent('wp:field:change', { detail }));
        form.dispatchEvent(new CustomEvent('wp:form:change', { detail: { 'is-valid': isFormValid() } }));
      });
      place.append(input);
      inputs[name] = input;
    }
    return inputs;
  };

  Object.assign(window, {
    Worldpay: {
      checkout: {
        /** @param {Options} options @param {(error: unknown, checkout?: object) => void} done */
        init(options, done) {
          standIn.calls.push({ name: 'init', args: JSON.parse(JSON.stringify(options)) });
          checkOptions(options);
          const form = /** @type {HTMLElement | null} */ (document.querySelector(options.form));
          if (form === null) return done(new Error('no form'));
          const inputs = addFields(options, form);
          form.dispatchEvent(new CustomEvent('wp:form:ready', { detail: { 'is-ready': true } }));
          return done(null, {
            /** @param {(error: unknown, session?: string) => void} given */
            generateSessionState(given) {
              const session = standIn.tokens[inputs.pan?.value.replaceAll(' ', '') ?? ''];
              setTimeout(() =>
                session === undefined ? given(new Error('Session request failed')) : given(null, session),
              );
            },
          });
        },
      },
    },
  });
}
