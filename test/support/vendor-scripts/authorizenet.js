/**
 * A fake of Authorize.net's Accept.js (developer.authorize.net/api/reference/features/acceptjs.html): it checks the data
 * as the library does, with its error codes, and refuses data in a format that is not documented. As there, the library is
 * ready only after the event `handshake`. It finds a token's number in `window.standIn`, which the test fills.
 *
 * @typedef {{ code: string, text: string }} Message
 * @typedef {{ messages: { resultCode: string, message: Message[] }, opaqueData?: object }} Answer
 * @typedef {{
 *   calls: { name: string, args: unknown }[],
 *   tokens: Record<string, string>,
 *   errors: string[],
 *   violations: string[],
 * }} StandIn
 */
{
  /** @type {StandIn} */
  const standIn = {
    calls: [],
    tokens: {},
    errors: [],
    violations: [],
    .../** @type {{ standIn?: Partial<StandIn> }} */ (/** @type {unknown} */ (window)).standIn,
  };
  Object.assign(window, { standIn });

  let isReady = false;

  /** @type {Record<string, RegExp>} */
  const CARD = { cardNumber: /^.*$/, month: /^.*$/, year: /^.*$/, cardCode: /^.*$/, zip: /^.*$/, fullName: /^.*$/ };

  /** @param {string} where @param {object} given @param {readonly string[]} known */
  const checkMembers = (where, given, known) => {
    for (const [name, value] of Object.entries(given)) {
      if (!known.includes(name)) standIn.violations.push(`${where}: ${name} is not documented`);
      if (typeof value !== 'string') standIn.violations.push(`${where}: ${name} is not text`);
    }
  };

  /** @param {string} digits */
  const passesLuhn = (digits) =>
    [...digits]
      .reverse()
      .map((digit, at) => Number(digit) * (at % 2 === 0 ? 1 : 2))
      .reduce((sum, value) => sum + (value > 9 ? value - 9 : value), 0) %
      10 ===
    0;

  /** @param {Record<string, string>} card @returns {string[]} */
  const faultsOf = ({ cardNumber = '', month = '', year = '', cardCode = '', zip = '' }) => [
    ...(/^\d{13,16}$/.test(cardNumber) && passesLuhn(cardNumber) ? [] : ['E_WC_05']),
    ...(/^(0[1-9]|1[012])$/.test(month) ? [] : ['E_WC_06']),
    ...(/^\d{2}(\d{2})?$/.test(year) ? [] : ['E_WC_07']),
    ...(cardCode === '' || /^\d{3,4}$/.test(cardCode) ? [] : ['E_WC_15']),
    ...(zip === '' || /^.{1,20}$/.test(zip) ? [] : ['E_WC_16']),
  ];

  /** @param {string[]} codes @returns {Answer} */
  const failed = (codes) => ({
    messages: { resultCode: 'Error', message: codes.map((code) => ({ code, text: `Text of ${code}` })) },
  });

  /** @param {{ authData: Record<string, string>, cardData: Record<string, string> }} data @returns {Answer} */
  const answerTo = ({ authData, cardData }) => {
    checkMembers('authData', authData, ['clientKey', 'apiLoginID']);
    checkMembers('cardData', cardData, Object.keys(CARD));
    if (!isReady) return failed(['E_WC_03']);
    if (!authData.apiLoginID) return failed(['E_WC_10']);
    if (!authData.clientKey) return failed(['E_WC_18']);
    const faults = faultsOf(cardData);
    if (faults.length > 0) return failed(faults);
    const token = standIn.tokens[cardData.cardNumber ?? ''];
    if (standIn.errors.length > 0 || token === undefined) return failed([...standIn.errors, 'E_WC_21']);
    return {
      messages: { resultCode: 'Ok', message: [{ code: 'I_WC_01', text: 'Successful.' }] },
      opaqueData: { dataDescriptor: 'COMMON.ACCEPT.INAPP.PAYMENT', dataValue: token },
    };
  };

  Object.assign(window, {
    Accept: {
      /**
       * @param {{ authData: Record<string, string>, cardData: Record<string, string> }} data
       * @param {(answer: Answer) => void} done
       */
      dispatchData(data, done) {
        standIn.calls.push({ name: 'dispatchData', args: JSON.parse(JSON.stringify(data)) });
        if (typeof done !== 'function') standIn.violations.push('dispatchData: no function');
        const answer = answerTo(data);
        setTimeout(() => done(answer));
      },
    },
  });

  // The second script of Accept.js loads later.
  setTimeout(() => {
    isReady = true;
    document.body.dispatchEvent(new Event('handshake', { bubbles: true }));
  });
}
