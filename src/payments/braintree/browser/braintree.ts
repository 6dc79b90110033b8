/**
 * Braintree's fields on the pay page: Hosted Fields, each in a frame of Braintree
 * (braintree.github.io/braintree-web/current/HostedFields.html). The types are the part of its reference that is used.
 */
import type { Fields, Places, Tools } from '../../browser/fields.ts';
import type { FieldError, FieldsConfig, Tokenized } from '../../port/page-fields.ts';

type FieldKey = 'number' | 'expirationDate' | 'cvv' | 'postalCode';

interface HostedField {
  container: HTMLElement;
  internalLabel: string;
  iframeTitle: string;
  placeholder?: string;
}

interface HostedFieldsState {
  emittedBy: FieldKey;
  fields: Record<FieldKey, { container: HTMLElement; isPotentiallyValid: boolean } | undefined>;
}

interface HostedFields {
  on(
    event: 'focus' | 'blur' | 'validityChange' | 'inputSubmitRequest',
    handler: (state: HostedFieldsState) => void,
  ): void;
  tokenize(): Promise<{ nonce: string }>;
}

interface HostedFieldsOptions {
  client: object;
  styles: Record<string, Record<string, string>>;
  fields: Partial<Record<FieldKey, HostedField>>;
}

declare global {
  interface Window {
    braintree?: {
      client: { create(options: { authorization: string }): Promise<object> };
      hostedFields: { create(options: HostedFieldsOptions): Promise<HostedFields> };
    };
  }
}

/** Braintree's fields by the IDs of the page's boxes. */
const FIELDS: readonly [id: string, key: FieldKey][] = [
  ['number', 'number'],
  ['expiry', 'expirationDate'],
  ['security_code', 'cvv'],
  ['postal_code', 'postalCode'],
];

window.ringkeyFields = {
  create(config, tools): Fields {
    let fields: HostedFields | undefined;
    return {
      async mount(places) {
        fields = await openFields(config, tools, places);
      },
      async tokenize() {
        if (fields === undefined) return { error: 'unavailable' };
        return tokenOf(fields);
      },
      act: async () => 'not_shown',
    };
  },
};

async function openFields({ scripts, publicKey }: FieldsConfig, tools: Tools, { card }: Places): Promise<HostedFields> {
  for (const script of scripts) await tools.loadScript(script);
  const { braintree } = window;
  const boxes = document.querySelector<HTMLTemplateElement>('template#card-inputs');
  if (braintree === undefined || boxes === null) throw new Error('no Braintree');
  card.append(boxes.content.cloneNode(true));
  const client = await braintree.client.create({ authorization: publicKey });
  const fields = await braintree.hostedFields.create({ client, styles: styles(), fields: optionsOf(card) });
  showState(fields);
  fields.on('inputSubmitRequest', () => card.closest('form')?.requestSubmit());
  return fields;
}

function optionsOf(card: HTMLElement): HostedFieldsOptions['fields'] {
  const options: HostedFieldsOptions['fields'] = {};
  for (const [id, key] of FIELDS) {
    const container = card.querySelector<HTMLElement>(`#${id}`);
    const label = card.querySelector(`label[for=${id}]`)?.textContent ?? '';
    if (container === null) continue;
    options[key] = { container, internalLabel: label, iframeTitle: label };
    if (key === 'expirationDate') options[key].placeholder = '12 / 34';
  }
  return options;
}

/** The page's design, which the frames do not inherit. */
function styles(): HostedFieldsOptions['styles'] {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string, otherwise: string) => style.getPropertyValue(name).trim() || otherwise;
  return {
    input: { 'font-size': '17px', 'font-family': 'system-ui, sans-serif', color: color('--ink', '#15201b') },
    '.invalid': { color: color('--bad', '#a12d1b') },
  };
}

/** Marks the boxes, as the page's own inputs are. */
function showState(fields: HostedFields): void {
  const mark = (name: string, isOn: (state: HostedFieldsState) => boolean) => (state: HostedFieldsState) => {
    state.fields[state.emittedBy]?.container.toggleAttribute(name, isOn(state));
  };
  fields.on(
    'focus',
    mark('data-focused', () => true),
  );
  fields.on(
    'blur',
    mark('data-focused', () => false),
  );
  fields.on(
    'validityChange',
    mark('data-wrong', ({ fields: all, emittedBy }) => all[emittedBy]?.isPotentiallyValid === false),
  );
}

async function tokenOf(fields: HostedFields): Promise<Tokenized> {
  try {
    const { nonce } = await fields.tokenize();
    return { token: nonce };
  } catch (error) {
    const { code = '', details } = error as {
      code?: string;
      details?: { invalidFields?: Record<string, HTMLElement> };
    };
    for (const box of Object.values(details?.invalidFields ?? {})) box.toggleAttribute('data-wrong', true);
    return { error: kindOf(code) };
  }
}

/** HostedFields.html, "tokenize". */
function kindOf(code: string): FieldError {
  switch (code) {
    case 'HOSTED_FIELDS_FIELDS_EMPTY':
    case 'HOSTED_FIELDS_FIELDS_INVALID':
      return 'incomplete';
    case 'HOSTED_FIELDS_FAILED_TOKENIZATION':
    case 'HOSTED_FIELDS_TOKENIZATION_CVV_VERIFICATION_FAILED':
      return 'declined';
    default:
      return 'unavailable';
  }
}
