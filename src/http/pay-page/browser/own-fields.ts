/**
 * Our own card inputs on the pay page: the sandbox's, and those whose values a vendor's script reads. Formats what the
 * payer types, and shows the errors that the server would find. Without it, the sandbox's work. Its messages are in the
 * form's `data-faults`, in the page's language.
 * It is served as the first part of the page's script, so the two files have no top-level name in common.
 */

interface OwnFields {
  start(form: HTMLFormElement): void;
  /** Shows the errors of the fields, and returns whether there are any. Then the form must not be sent. */
  showFaults(form: HTMLFormElement): boolean;
}

declare global {
  interface Window {
    /** Set by this script. */
    ringkeyOwnFields?: OwnFields;
  }
}

/** By its ID: an input for a vendor's script has no name, so that the form does not contain its value. */
const inputOf = (form: HTMLFormElement, name: string) => form.querySelector<HTMLInputElement>(`input#${name}`);

/** How each field is formatted. */
const SHAPES: Record<string, (text: string, isDeleting: boolean) => string> = {
  number: (text) => {
    const digits = digitsOf(text).slice(0, 19);
    const groups = /^3[47]/.test(digits)
      ? /^(\d{1,4})(\d{1,6})?(\d+)?/
      : /(\d{1,4})(\d{1,4})?(\d{1,4})?(\d{1,4})?(\d+)?/;
    return (groups.exec(digits) ?? []).slice(1).filter(Boolean).join(' ');
  },
  expiry: (text, isDeleting) => {
    // 4, 4/ and 1/ are months with one digit.
    const typed = digitsOf(text.replace(/^\s*(\d)\s*\/|^\s*([2-9])/, '0$1$2/'));
    const digits = typed.slice(0, /^\d\d20/.test(typed) ? 6 : 4);
    if (digits.length < 2 || (digits.length === 2 && isDeleting)) return digits;
    return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
  },
  security_code: (text) => digitsOf(text).slice(0, 4),
};

/**
 * Brands by prefix: their name and number of digits. These are shown while the payer types. The server knows all brands.
 */
const BRANDS: readonly [RegExp, string, readonly number[]][] = [
  [/^4/, 'Visa', [13, 16]],
  [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'Mastercard', [16]],
  [/^3[47]/, 'Amex', [15]],
  [/^(6011|64[4-9]|65)/, 'Discover', [16]],
  [/^35(2[89]|[3-8])/, 'JCB', []],
  [/^3(0[0-5]|[689])/, 'Diners Club', []],
  [/^62/, 'UnionPay', []],
];

const digitsOf = (text: string) => text.replace(/\D/g, '');
const brandOf = (number: string) => BRANDS.find(([begins]) => begins.test(number));

/** Formats what the payer types, and shows the error of a field when the payer leaves it. */
function startOwnFields(form: HTMLFormElement): void {
  form.addEventListener('input', (event) => {
    const input = event.target as HTMLInputElement;
    const shape = SHAPES[input.id];
    if (shape !== undefined) reshape(input, (text) => shape(text, /^delete/.test((event as InputEvent).inputType)));
    if (input.hasAttribute('aria-invalid') && faultOf(form, input.id) === null) setFault(form, input.id, null);
    const mark = form.querySelector('.brand');
    if (mark !== null) mark.textContent = brandOf(digitsOf(inputOf(form, 'number')?.value ?? ''))?.[1] ?? '';
  });
  form.addEventListener('focusout', ({ target }) => {
    const { id: name, value } = target as HTMLInputElement;
    // No error for an empty field that the payer only tabs through.
    if (value && CHECKED.includes(name)) setFault(form, name, faultOf(form, name));
  });
}

/** Keeps the caret behind the same digit. */
function reshape(input: HTMLInputElement, shape: (text: string) => string): void {
  const { value, selectionStart } = input;
  const text = shape(value);
  if (text === value) return;
  const before = digitsOf(value.slice(0, selectionStart ?? value.length)).length;
  input.value = text;
  let caret = text.length;
  if (selectionStart !== null && selectionStart < value.length) {
    for (caret = 0; digitsOf(text.slice(0, caret)).length < before && caret < text.length; ) caret += 1;
  }
  input.setSelectionRange(caret, caret);
}

const CHECKED = ['number', 'expiry', 'security_code', 'postal_code'];

/** The errors that the server would find, as far as a page can tell. Null if there are none. */
function faultOf(form: HTMLFormElement, name: string): string | null {
  const input = inputOf(form, name);
  const value = input?.value.trim() ?? '';
  if (input === null) return null;
  if (value === '') return `${name}_missing`;
  const number = digitsOf(inputOf(form, 'number')?.value ?? '');
  const lengths = brandOf(number)?.[2] ?? [];
  if (name === 'number') {
    if (number.length < 12 || (lengths.length > 0 && !lengths.includes(number.length))) return 'number_incomplete';
    return passesLuhn(number) ? null : 'number_wrong';
  }
  if (name === 'expiry') return expiryFault(value);
  if (name === 'security_code') return value.length === (/^3[47]/.test(number) ? 4 : 3) ? null : 'security_code_wrong';
  return value.length < 3 ? 'postal_code_wrong' : null;
}

function expiryFault(value: string): string | null {
  const [, month, year] = /^(0[1-9]|1[0-2]) ?\/ ?(?:20)?(\d\d)$/.exec(value) ?? [];
  if (month === undefined) return 'expiry_wrong';
  const now = new Date();
  const left = (2000 + Number(year) - now.getUTCFullYear()) * 12 + Number(month) - now.getUTCMonth() - 1;
  return left < 0 ? 'expiry_past' : null;
}

const passesLuhn = (digits: string) =>
  [...digits]
    .reverse()
    .reduce((sum, digit, at) => sum + (at % 2 ? (Number(digit) * 2) % 9 || Number(digit) : Number(digit)), 0) %
    10 ===
  0;

function setFault(form: HTMLFormElement, name: string, fault: string | null): void {
  const input = inputOf(form, name);
  if (input === null) return;
  const id = `${name}-fault`;
  document.getElementById(id)?.remove();
  const described = (input.getAttribute('aria-describedby') ?? '').split(' ').filter((each) => each && each !== id);
  input.toggleAttribute('aria-invalid', false);
  if (fault !== null) {
    const place = document.createElement('p');
    Object.assign(place, { id, className: 'fault', textContent: faultWords(form)[fault] ?? '' });
    input.parentElement?.append(place);
    input.setAttribute('aria-invalid', 'true');
    described.push(id);
  }
  if (described.length > 0) input.setAttribute('aria-describedby', described.join(' '));
  else input.removeAttribute('aria-describedby');
}

const faultWords = (form: HTMLFormElement) => JSON.parse(form.dataset.faults ?? '{}') as Record<string, string>;

/** Shows the errors of all fields above the form, as the server would. @returns whether there are any */
function showFaults(form: HTMLFormElement): boolean {
  const faults = CHECKED.flatMap((name) => {
    const fault = faultOf(form, name);
    setFault(form, name, fault);
    return fault === null ? [] : [{ name, fault }];
  });
  const place = form.querySelector<HTMLElement>('.errors');
  if (place === null) return false;
  place.textContent = '';
  if (faults.length === 0) return false;
  const words = faultWords(form);
  const list = document.createElement('ul');
  for (const { name, fault } of faults) {
    const link = list.appendChild(document.createElement('li')).appendChild(document.createElement('a'));
    Object.assign(link, { href: `#${name}`, textContent: words[fault] ?? '' });
  }
  place.append(Object.assign(document.createElement('h2'), { textContent: words.heading ?? '' }), list);
  place.focus();
  return true;
}

window.ringkeyOwnFields = { start: startOwnFields, showFaults };
