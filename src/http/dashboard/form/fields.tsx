/** Fields of the settings forms: label, hint, value, and the error of the field. */
import type { ComponentChildren } from 'preact';
import type { ErrorObject } from '../../../contract/error-object.ts';
import { apiName, InEnglish } from '../page/english.tsx';
import type { FormFields } from '../page/page-routes.ts';
import { Notice } from '../page/parts.tsx';
import { language } from '../words/language.ts';
import { formWords } from './words/index.ts';

/** The state of a form: its values and the error from REST, or one of the dashboard in the user's language. */
export interface FormState {
  values: FormFields;
  error: (Pick<ErrorObject, 'message' | 'param'> & Partial<Pick<ErrorObject, 'code'>> & { isOwn?: true }) | null;
}

/** A form that has not been submitted. */
export const unsent = (values: FormFields = {}): FormState => ({ values, error: null });

export interface FieldProps {
  form: FormState;
  /** The name of the field, in the form and in REST. */
  name: string;
  label: string;
  hint?: ComponentChildren;
}

/**
 * The field of an error, and the number of the list entry (`numbers[2]`, `numbers.2`: the third). The form's field for
 * `order_source.url` is `order_source_url`.
 */
function placeOf({ param = '' }: NonNullable<FormState['error']>): { name: string; entry: number | null } {
  const [name = '', part] = param.split(/[.[\]]/);
  if (part === undefined || /^\d+$/.test(part)) return { name, entry: part === undefined ? null : Number(part) + 1 };
  return { name: `${name}_${part}`, entry: null };
}

/** The error shown at the field. "This" replaces the field's name. */
function faultOf({ error }: FormState, name: string): ComponentChildren | null {
  if (error === null || placeOf(error).name !== name) return null;
  const { entry } = placeOf(error);
  return <Message error={error} name={entry === null ? 'This' : `Entry ${entry}`} />;
}

/** REST's messages are English. To English readers, @param name replaces the parameter that they start with. */
function Message({ error: { message, param, isOwn }, name }: { error: NonNullable<FormState['error']>; name: string }) {
  if (isOwn) return <>{message}</>;
  const start = [`\`${param}\``, param].find((each) => message.startsWith(`${each} `));
  const isNamed = language() === 'en' && start !== undefined;
  return <InEnglish text={isNamed ? name + message.slice(start.length) : message} />;
}

interface InputIds {
  id: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
  autofocus?: true | undefined;
}

export function Field({
  form,
  name,
  label,
  hint,
  children,
}: FieldProps & { children: (ids: InputIds) => ComponentChildren }) {
  const id = `field-${name}`;
  const fault = faultOf(form, name);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, ...descriptionOf(id, hint, fault) })}
      <Below id={id} hint={hint} fault={fault} />
    </div>
  );
}

/** A refused form opens at its error, which screen readers read with the field. */
function descriptionOf(id: string, hint: ComponentChildren, fault: ComponentChildren | null): Omit<InputIds, 'id'> {
  const ids = [hint !== undefined && `${id}-hint`, fault !== null && `${id}-fault`].filter(Boolean);
  const isFault = fault === null ? undefined : true;
  return { 'aria-describedby': ids.join(' ') || undefined, 'aria-invalid': isFault, autofocus: isFault };
}

/** The hint and the error of a field. */
function Below({ id, hint, fault }: { id: string; hint: ComponentChildren; fault: ComponentChildren | null }) {
  return (
    <>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault !== null && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </>
  );
}

interface TextFieldProps extends FieldProps {
  required?: boolean;
  maxlength?: number;
}

export function TextField({ required = false, maxlength = 2_048, ...field }: TextFieldProps) {
  const { form, name } = field;
  return (
    <Field {...field}>
      {(ids) => (
        <input
          {...ids}
          name={name}
          required={required}
          maxlength={maxlength}
          value={form.values[name] ?? ''}
          autocomplete="off"
          spellcheck={false}
        />
      )}
    </Field>
  );
}

interface SecretFieldProps extends TextFieldProps {
  /** Can be read while it is entered. */
  isReadable?: boolean;
}

/** The entered value is never sent back to the browser. */
export function SecretField({ required = false, maxlength = 4_096, isReadable = false, ...field }: SecretFieldProps) {
  const input = { name: field.name, required, maxlength, autocomplete: 'off', spellcheck: false } as const;
  return (
    <Field {...field}>
      {(ids) => (isReadable ? <input {...ids} {...input} /> : <input {...ids} {...input} type="password" />)}
    </Field>
  );
}

/** A file to upload. The form needs `takesFile`. @param accept content types, separated by commas */
export function FileField({ accept, ...field }: FieldProps & { accept: string }) {
  return <Field {...field}>{(ids) => <input {...ids} name={field.name} type="file" accept={accept} required />}</Field>;
}

/** One entry per line. */
export function ListField(field: FieldProps) {
  const { form, name } = field;
  return (
    <Field {...field}>
      {(ids) => (
        <textarea {...ids} name={name} rows={3} spellcheck={false}>
          {form.values[name] ?? ''}
        </textarea>
      )}
    </Field>
  );
}

export type Choices = readonly (readonly [value: string, label: string])[];

/** How long a replaced key or secret stays valid, in seconds. */
const OVERLAPS = ['86400', '3600', '604800', '0'] as const;
export type Overlap = (typeof OVERLAPS)[number];

export const overlapChoices = (): Choices => OVERLAPS.map((each) => [each, formWords().overlaps[each]]);

/** @param languageOf the language of a choice's label, if it is not the page's */
export function ChoiceField({
  choices,
  languageOf,
  ...field
}: FieldProps & { choices: Choices; languageOf?: (value: string) => string | undefined }) {
  const { form, name } = field;
  return (
    <Field {...field}>
      {(ids) => (
        <select {...ids} name={name}>
          {choices.map(([value, label]) => (
            <option key={value} value={value} lang={languageOf?.(value)} selected={value === (form.values[name] ?? '')}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A text field with suggestions, which the browser searches as the user types. Any other text can be entered, too. */
export function SuggestField({
  suggestions,
  maxlength = 2_048,
  isOwnZone,
  follows,
  ...field
}: FieldProps & {
  suggestions: Choices;
  maxlength?: number;
  /** The page's script fills in the time zone of the browser. */
  isOwnZone?: true | undefined;
  /** Attributes that renew the suggestions as the form changes. */
  follows?: object;
}) {
  const { form, name } = field;
  const list = `list-${name}`;
  return (
    <Field {...field}>
      {(ids) => (
        <>
          <input
            {...ids}
            name={name}
            maxlength={maxlength}
            value={form.values[name] ?? ''}
            list={list}
            autocomplete="off"
            spellcheck={false}
            data-own-zone={isOwnZone}
          />
          <Suggestions id={list} suggestions={suggestions} {...(follows && { follows })} />
        </>
      )}
    </Field>
  );
}

export function Suggestions({ id, suggestions, follows }: { id: string; suggestions: Choices; follows?: object }) {
  return (
    <datalist id={id} {...follows}>
      {suggestions.map(([value, label]) => (
        <option key={value} value={value} label={label === value ? undefined : label} />
      ))}
    </datalist>
  );
}

/** A checkbox. Its value is `on` when selected. */
export function CheckField({ form, name, label, hint }: FieldProps) {
  const id = `field-${name}`;
  const fault = faultOf(form, name);
  return (
    <div class="field">
      <label class="check" for={id}>
        <input
          id={id}
          type="checkbox"
          name={name}
          checked={form.values[name] === 'on'}
          {...descriptionOf(id, hint, fault)}
        />
        {label}
      </label>
      <Below id={id} hint={hint} fault={fault} />
    </div>
  );
}

/** A group of checkboxes. Each selected one is a field `<name>:<value>`. */
export function SeveralField({ choices, form, name, label, hint }: FieldProps & { choices: Choices }) {
  const fault = faultOf(form, name);
  return (
    <fieldset class="field" id={`field-${name}`}>
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <div class="checks">
        <input type="hidden" name={`${name}:`} value="" />
        {choices.map(([value, title]) => (
          <label key={value} class="check">
            <input type="checkbox" name={`${name}:${value}`} checked={form.values[`${name}:${value}`] === 'on'} />
            {title}
          </label>
        ))}
      </div>
      {fault !== null && <p class="fault">{fault}</p>}
    </fieldset>
  );
}

/** The error of the form, shown at its top. It has the focus if no field has the error. */
export function FormFault({ form }: { form: FormState }) {
  const { error } = form;
  if (error === null) return null;
  const { name, entry } = placeOf(error);
  const w = formWords();
  return (
    <Notice tone="bad" title={w.nothingChanged} isFocused={!hasField(form, name)}>
      <p>
        <Message error={error} name={entry === null ? apiName(name) : `${apiName(name)}, entry ${entry},`} />
      </p>
      {hasField(form, name) && (
        <p>
          <a href={`#field-${name}`}>{w.goToField}</a>
        </p>
      )}
    </Notice>
  );
}

/** Whether the submitted form has the field. Unselected checkboxes are not submitted, but a {@link SeveralField} is. */
const hasField = ({ values }: FormState, name: string) =>
  Object.keys(values).some((key) => key === name || key.startsWith(`${name}:`));

/** The entries of a {@link ListField}. */
export function entriesOf(text: string | undefined): string[] {
  return (text ?? '')
    .split(/[\n,]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** The selected values of a {@link SeveralField}. */
export function tickedOf(fields: FormFields, name: string): string[] {
  return Object.entries(fields)
    .filter(([key, value]) => key.startsWith(`${name}:`) && value === 'on')
    .map(([key]) => key.slice(name.length + 1));
}

/** The fields of a {@link SeveralField} with these values selected. */
export function ticked(name: string, values: readonly string[]): FormFields {
  return Object.fromEntries(values.map((value) => [`${name}:${value}`, 'on']));
}
