/** Fields of the settings forms: label, hint, value, and the error of the field. */
import type { ComponentChildren } from 'preact';
import type { ErrorObject } from '../../../contract/error-object.ts';
import type { FormFields } from '../page/page-routes.ts';
import { Notice, words } from '../page/parts.tsx';

/** The state of a form: its values and the error from REST. */
export interface FormState {
  values: FormFields;
  error: Pick<ErrorObject, 'message' | 'param'> | null;
}

/** A form that has not been submitted. */
export const unsent = (values: FormFields = {}): FormState => ({ values, error: null });

interface FieldProps {
  form: FormState;
  /** The name of the field, in the form and in REST. */
  name: string;
  label: string;
  hint?: ComponentChildren;
}

/** The field of an error, and the number of the list entry (`numbers[2]`, `numbers.2`: the third). */
function placeOf({ param = '' }: NonNullable<FormState['error']>): { name: string; entry: number | null } {
  const [name = '', index] = param.split(/[.[\]]/);
  return { name, entry: index === undefined ? null : Number(index) + 1 };
}

/** The error shown at the field. "This" replaces the field's name. */
function faultOf({ error }: FormState, name: string): string | null {
  if (error === null || placeOf(error).name !== name) return null;
  const { entry } = placeOf(error);
  return renamed(error, entry === null ? 'This' : `Entry ${entry}`);
}

/** REST's message, with a readable name instead of the parameter it starts with. */
function renamed({ message, param }: NonNullable<FormState['error']>, name: string): string {
  return param !== undefined && message.startsWith(`${param} `) ? name + message.slice(param.length) : message;
}

interface InputIds {
  id: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: true | undefined;
}

function Field({ form, name, label, hint, children }: FieldProps & { children: (ids: InputIds) => ComponentChildren }) {
  const id = `field-${name}`;
  const fault = faultOf(form, name);
  const described = [hint !== undefined && `${id}-hint`, fault !== null && `${id}-fault`].filter(Boolean).join(' ');
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, 'aria-describedby': described || undefined, 'aria-invalid': fault === null ? undefined : true })}
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
    </div>
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

/** The entered value is never sent back to the browser. */
export function SecretField({ required = false, maxlength = 4_096, ...field }: TextFieldProps) {
  const { name } = field;
  return (
    <Field {...field}>
      {(ids) => (
        <input {...ids} name={name} required={required} maxlength={maxlength} type="password" autocomplete="off" />
      )}
    </Field>
  );
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
export const OVERLAPS: Choices = [
  ['86400', 'In 1 day'],
  ['3600', 'In 1 hour'],
  ['604800', 'In 7 days'],
  ['0', 'Immediately'],
];

export function ChoiceField({ choices, ...field }: FieldProps & { choices: Choices }) {
  const { form, name } = field;
  return (
    <Field {...field}>
      {(ids) => (
        <select {...ids} name={name}>
          {choices.map(([value, label]) => (
            <option key={value} value={value} selected={value === (form.values[name] ?? '')}>
              {label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** A checkbox. Its value is `on` when selected. */
export function CheckField({ form, name, label, hint }: FieldProps) {
  const id = `field-${name}`;
  return (
    <div class="field">
      <label class="check" for={id}>
        <input
          id={id}
          type="checkbox"
          name={name}
          checked={form.values[name] === 'on'}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        />
        {label}
      </label>
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

/** A group of checkboxes. Each selected one is a field `<name>:<value>`. */
export function SeveralField({ choices, form, name, label, hint }: FieldProps & { choices: Choices }) {
  const fault = faultOf(form, name);
  return (
    <fieldset class="field">
      <legend>{label}</legend>
      {hint !== undefined && <p class="hint">{hint}</p>}
      <div class="checks">
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

/** The error of the form, shown at its top, where the reader is after submitting. */
export function FormFault({ form: { error } }: { form: FormState }) {
  if (error === null) return null;
  const { name, entry } = placeOf(error);
  return (
    <Notice tone="bad" title="Nothing was changed">
      <p>{renamed(error, entry === null ? words(name) : `${words(name)}, entry ${entry},`)}</p>
    </Notice>
  );
}

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
