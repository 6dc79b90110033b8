/**
 * Authorize.net's fields on the pay page: inputs of the page, whose values Accept.js exchanges for a token
 * (developer.authorize.net/api/reference/features/acceptjs.html). They have no names, so no form sends them to us.
 */
import type { Fields } from '../../browser/fields.ts';
import type { FieldError, FieldsConfig, Tokenized } from '../../port/page-fields.ts';

interface SecureData {
  authData: { clientKey: string; apiLoginID: string };
  cardData: { cardNumber: string; month: string; year: string; cardCode: string; zip?: string };
}

interface AcceptAnswer {
  messages: { resultCode: 'Ok' | 'Error'; message: readonly { code: string; text: string }[] };
  opaqueData?: { dataDescriptor: string; dataValue: string };
}

declare global {
  interface Window {
    Accept?: { dispatchData(data: SecureData, done: (answer: AcceptAnswer) => void): void };
  }
}

/** Accept.js has no time limit of its own. */
const ANSWER_MS = 60_000;

window.ringkeyFields = {
  create(config, tools): Fields {
    let place: HTMLElement | undefined;
    return {
      async mount(places) {
        await openAccept(config.scripts, tools.loadScript);
        const inputs = document.querySelector<HTMLTemplateElement>('template#card-inputs');
        if (inputs === null) throw new Error('no inputs');
        places.card.append(inputs.content.cloneNode(true));
        place = places.card;
      },
      tokenize: async () => (place === undefined ? { error: 'unavailable' } : tokenOf(secureData(config, place))),
      act: async () => 'not_shown',
    };
  },
};

/**
 * Accept.js loads its second script by itself, and cannot be used before it (E_WC_03). That script announces itself with
 * the event `handshake` on the body.
 */
async function openAccept(scripts: readonly string[], loadScript: (url: string) => Promise<void>): Promise<void> {
  const isReady = new Promise<void>((resolve) => {
    document.body.addEventListener('handshake', () => resolve(), { once: true });
  });
  for (const script of scripts) await loadScript(script);
  await isReady;
  if (window.Accept === undefined) throw new Error('no Accept');
}

function secureData({ publicKey, locationId }: FieldsConfig, place: HTMLElement): SecureData {
  const typedIn = (id: string) => place.querySelector<HTMLInputElement>(`input#${id}`)?.value.trim() ?? '';
  const [month = '', year = ''] = typedIn('expiry').split('/');
  const zip = typedIn('postal_code');
  return {
    authData: { clientKey: publicKey, apiLoginID: locationId ?? '' },
    cardData: {
      cardNumber: typedIn('number').replace(/\D/g, ''),
      month: month.trim(),
      year: year.trim(),
      cardCode: typedIn('security_code'),
      ...(zip !== '' && { zip }),
    },
  };
}

function tokenOf(data: SecureData): Promise<Tokenized> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve({ error: 'unavailable' }), ANSWER_MS);
    const done = (result: Tokenized) => {
      clearTimeout(late);
      resolve(result);
    };
    try {
      if (window.Accept === undefined) throw new Error('no Accept');
      window.Accept.dispatchData(data, (answer) => done(resultOf(answer)));
    } catch {
      done({ error: 'unavailable' });
    }
  });
}

function resultOf({ messages, opaqueData }: AcceptAnswer): Tokenized {
  const token = opaqueData?.dataValue ?? '';
  if (messages.resultCode === 'Ok' && token !== '') return { token };
  return { error: kindOf(messages.message.map(({ code }) => code)) };
}

/** Number, month, year, a date in the past, security code, postal code ("Error codes" of the reference). */
const WRONG_CARD = ['E_WC_05', 'E_WC_06', 'E_WC_07', 'E_WC_08', 'E_WC_15', 'E_WC_16'];

function kindOf(codes: readonly string[]): FieldError {
  return codes.length > 0 && codes.every((code) => WRONG_CARD.includes(code)) ? 'incomplete' : 'unavailable';
}
