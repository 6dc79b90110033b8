/**
 * Adyen's fields on the pay page: the Custom Card of Adyen Web (github.com/Adyen/adyen-web,
 * packages/lib/src/components/CustomCard). Its frames encrypt the card for Adyen, and our server passes that on. The types
 * are the part of its declarations that is used.
 */
import type { Fields, Places, Tools } from '../../browser/fields.ts';
import type { FieldsConfig, Tokenized } from '../../port/page-fields.ts';

interface EncryptedCard {
  encryptedCardNumber?: string;
  encryptedExpiryMonth?: string;
  encryptedExpiryYear?: string;
  encryptedSecurityCode?: string;
}

interface CardState {
  data: { paymentMethod: EncryptedCard };
  isValid: boolean;
}

interface FieldEvent {
  /** The `data-cse` of the field. */
  fieldType: string;
}

interface CoreOptions {
  clientKey: string;
  environment: string;
  locale: string;
  countryCode: string;
  analytics: { enabled: boolean };
}

interface CardOptions {
  styles: Record<'base' | 'error', Record<string, string>>;
  onChange(state: CardState): void;
  onConfigSuccess(): void;
  onError(): void;
  onFocus(event: FieldEvent & { focus: boolean }): void;
  onValidationError(errors: readonly (FieldEvent & { error?: string })[]): void;
  onEnterKeyPressed(): void;
}

interface CustomCard {
  mount(root: HTMLElement): void;
  showValidation(): void;
}

declare global {
  interface Window {
    AdyenWeb?: {
      AdyenCheckout(options: CoreOptions): Promise<object>;
      CustomCard: new (core: object, options: CardOptions) => CustomCard;
    };
  }
}

/** Adyen's fields by the IDs of the page's boxes. */
const FIELDS: readonly [id: string, field: string][] = [
  ['number', 'encryptedCardNumber'],
  ['expiry', 'encryptedExpiryDate'],
  ['security_code', 'encryptedSecurityCode'],
];

/** Required, and only used for other payment methods. */
const ANY_COUNTRY = 'US';

window.ringkeyFields = {
  create(config, tools): Fields {
    let card: CustomCard | undefined;
    let state: CardState | undefined;
    return {
      async mount(places) {
        card = await openCard(config, tools, places, (changed) => {
          state = changed;
        });
      },
      async tokenize() {
        if (card === undefined) return { error: 'unavailable' };
        if (state?.isValid !== true) {
          card.showValidation();
          return { error: 'incomplete' };
        }
        return tokenOf(state.data.paymentMethod);
      },
      act: async () => 'not_shown',
    };
  },
};

async function openCard(
  { scripts, publicKey, locationId, language, country }: FieldsConfig,
  tools: Tools,
  { card: place }: Places,
  onChange: (state: CardState) => void,
): Promise<CustomCard> {
  for (const script of scripts) await tools.loadScript(script);
  const { AdyenWeb } = window;
  if (AdyenWeb === undefined) throw new Error('no Adyen');
  addBoxes(place);
  const core = await AdyenWeb.AdyenCheckout({
    clientKey: publicKey,
    environment: locationId ?? 'test',
    locale: language,
    countryCode: country ?? ANY_COUNTRY,
    analytics: { enabled: false },
  });
  return new Promise((resolve, reject) => {
    const card = new AdyenWeb.CustomCard(core, {
      styles: styles(),
      onChange,
      onConfigSuccess: () => resolve(card),
      onError: () => reject(new Error('no fields')),
      onFocus: ({ fieldType, focus }) => boxOf(place, fieldType)?.toggleAttribute('data-focused', focus),
      onValidationError: (errors) => {
        for (const { fieldType, error } of errors) {
          boxOf(place, fieldType)?.toggleAttribute('data-wrong', (error ?? '') !== '');
        }
      },
      onEnterKeyPressed: () => place.closest('form')?.requestSubmit(),
    });
    card.mount(place);
  });
}

function addBoxes(place: HTMLElement): void {
  const boxes = document.querySelector<HTMLTemplateElement>('template#card-inputs');
  if (boxes === null) throw new Error('no boxes');
  place.append(boxes.content.cloneNode(true));
  for (const [id, field] of FIELDS) place.querySelector(`#${id}`)?.setAttribute('data-cse', field);
  // Adyen takes it with a full address only.
  place.querySelector('#postal_code')?.closest('.field')?.remove();
}

const boxOf = (place: HTMLElement, field: string) => place.querySelector(`[data-cse=${field}]`);

/** The page's design, which the frames do not inherit. */
function styles(): CardOptions['styles'] {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  const font = { fontSize: '17px', fontFamily: 'system-ui, sans-serif' };
  return { base: { ...font, color: color('--ink', '#15201b') }, error: { color: color('--bad', '#a12d1b') } };
}

/** What the bank wants to know of the browser (3-D Secure), as Adyen Web collects it, in base64url. */
function browser(): string {
  const { colorDepth, height: screenHeight, width: screenWidth } = screen;
  const { language, userAgent } = navigator;
  const timeZoneOffset = new Date().getTimezoneOffset();
  const info = { acceptHeader: '*/*', colorDepth, javaEnabled: false, language, screenHeight, screenWidth };
  const bytes = new TextEncoder().encode(JSON.stringify({ ...info, timeZoneOffset, userAgent }));
  const base64 = btoa(String.fromCharCode(...bytes));
  return base64.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
}

/** In the order that our server expects. */
function tokenOf(card: EncryptedCard): Tokenized {
  const parts = [
    card.encryptedCardNumber,
    card.encryptedExpiryMonth,
    card.encryptedExpiryYear,
    card.encryptedSecurityCode,
  ];
  return parts.includes(undefined) ? { error: 'incomplete' } : { token: [...parts, browser()].join('~') };
}
