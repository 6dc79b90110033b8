/**
 * A color as hexadecimal digits, with the browser's color input beside it. Without JavaScript, a color that was picked
 * replaces the digits. With it, `browser/dashboard.ts` keeps both the same.
 */
import { parseHexColor } from '../../../domain/branding.ts';
import type { FormFields } from '../page/page-routes.ts';
import { Field, type FieldProps } from './fields.tsx';

/** The color input has no empty value. */
const NONE = '#000000';
const picked = (name: string) => `${name}_picked`;
const shown = (name: string) => `${name}_shown`;

/** The entry of a {@link ColorField}: the picked color if it was changed, otherwise the digits. */
export function colorIn(fields: FormFields, name: string): string {
  const color = fields[picked(name)];
  const before = fields[shown(name)];
  const isPicked = color !== undefined && before !== undefined && color !== before;
  return isPicked ? color : (fields[name]?.trim() ?? '');
}

/** @param pick the name of the color input, for screen readers */
export function ColorField({ pick, ...field }: FieldProps & { pick: string }) {
  const { form, name } = field;
  const text = colorIn(form.values, name);
  const color = parseHexColor(text)?.toLowerCase() ?? NONE;
  return (
    <Field {...field}>
      {(ids) => (
        <div class="with-color">
          <input {...ids} name={name} maxlength={7} value={text} autocomplete="off" spellcheck={false} />
          <input type="color" name={picked(name)} value={color} aria-label={pick} />
          <input type="hidden" name={shown(name)} value={color} />
        </div>
      )}
    </Field>
  );
}
