/**
 * Worldpay's fields on the pay page: the Access Checkout SDK (docs.worldpay.com/access/products/checkout/web/card-only). It
 * returns the address of a session, which has the card, and is paid with once.
 */
import type { Fields, Places, Tools } from '../../browser/fields.ts';
import type { FieldsConfig, Tokenized } from '../../port/page-fields.ts';

type FieldKey = 'pan' | 'expiry' | 'cvv';
type Words = Record<FieldKey, string>;

interface CheckoutOptions {
  id: string;
  form: string;
  fields: Record<FieldKey, { selector: string; placeholder?: string }>;
  styles: Record<string, Record<string, string>>;
  accessibility: { ariaLabel: Words; lang: { locale: string }; title: Words & { enabled: boolean } };
  enablePanFormatting: boolean;
}

interface Checkout {
  generateSessionState(done: (error: unknown, session: string) => void): void;
}

/** The detail of `wp:field:change` and `wp:form:change` (…/checkout/web/event-hooks). */
interface Change {
  'is-valid': boolean;
  field?: { name: string; $element: HTMLElement };
}

declare global {
  interface Window {
    Worldpay?: {
      checkout: { init(options: CheckoutOptions, done: (error: unknown, checkout: Checkout) => void): void };
    };
  }
}

/** The SDK has no time limit of its own. */
const ANSWER_MS = 60_000;

window.ringkeyFields = {
  create(config, tools): Fields {
    let checkout: Checkout | undefined;
    let isValid = false;
    return {
      async mount(places) {
        const form = places.card.closest('form');
        form?.addEventListener('wp:form:change', (event) => {
          isValid = (event as CustomEvent<Change>).detail['is-valid'];
        });
        checkout = await openCheckout(config, tools, places);
      },
      async tokenize() {
        if (checkout === undefined) return { error: 'unavailable' };
        return isValid ? sessionOf(checkout) : { error: 'incomplete' };
      },
      act: async () => 'not_shown',
    };
  },
};

async function openCheckout(config: FieldsConfig, tools: Tools, { card }: Places): Promise<Checkout> {
  for (const script of config.scripts) await tools.loadScript(script);
  const { Worldpay } = window;
  const boxes = document.querySelector<HTMLTemplateElement>('template#card-inputs');
  if (Worldpay === undefined || boxes === null) throw new Error('no Worldpay');
  card.append(boxes.content.cloneNode(true));
  // The SDK has no field for it.
  card.querySelector('#postal_code')?.closest('.field')?.remove();
  showState(card);
  return new Promise((resolve, reject) => {
    Worldpay.checkout.init(optionsOf(config, card), (error, checkout) =>
      error ? reject(new Error('not initialized')) : resolve(checkout),
    );
  });
}

function optionsOf({ publicKey, language }: FieldsConfig, card: HTMLElement): CheckoutOptions {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  const labelOf = (id: string) => card.querySelector(`label[for=${id}]`)?.textContent ?? '';
  const words = { pan: labelOf('number'), expiry: labelOf('expiry'), cvv: labelOf('security_code') };
  return {
    id: publicKey,
    form: '#pay',
    fields: {
      pan: { selector: '#number' },
      expiry: { selector: '#expiry', placeholder: 'MM/YY' },
      cvv: { selector: '#security_code' },
    },
    styles: {
      input: { 'font-size': '17px', 'font-family': 'system-ui, sans-serif', color: color('--ink', '#15201b') },
      'input.is-invalid': { color: color('--bad', '#a12d1b') },
    },
    accessibility: { ariaLabel: words, lang: { locale: language }, title: { enabled: true, ...words } },
    enablePanFormatting: true,
  };
}

/** A box whose content was valid is marked if it no longer is. While the payer types the first time, none is marked. */
function showState(card: HTMLElement): void {
  const wereValid = new Set<HTMLElement>();
  card.closest('form')?.addEventListener('wp:field:change', (event) => {
    const { field, 'is-valid': isValid } = (event as CustomEvent<Change>).detail;
    if (field === undefined) return;
    if (isValid) wereValid.add(field.$element);
    field.$element.toggleAttribute('data-wrong', !isValid && wereValid.has(field.$element));
  });
}

function sessionOf(checkout: Checkout): Promise<Tokenized> {
  return new Promise((resolve) => {
    const late = setTimeout(() => resolve({ error: 'unavailable' }), ANSWER_MS);
    checkout.generateSessionState((error, session) => {
      clearTimeout(late);
      resolve(error ? { error: 'unavailable' } : { token: session });
    });
  });
}
