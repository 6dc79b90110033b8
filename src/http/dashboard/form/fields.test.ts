import { h } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { expect, test } from 'vitest';
import { FormFault, TextField } from './fields.tsx';

test.each([
  ['page_accent_color', '`page_accent_color` is wrong.', 'This is wrong.', 'Page accent color is wrong.'],
  ['page_accent_color', 'page_accent_color is wrong.', 'This is wrong.', 'Page accent color is wrong.'],
  ['numbers[1]', 'numbers[1] is wrong.', 'Entry 2 is wrong.', 'Numbers, entry 2, is wrong.'],
  ['numbers', 'Another merchant has it.', 'Another merchant has it.', 'Another merchant has it.'],
])('shows the REST error of %s at its field without the parameter name', (param, message, atField, above) => {
  const form = { values: {}, error: { param, message } };
  const field = h(TextField, { form, name: param.split('[', 1)[0] ?? '', label: 'A field' });
  expect(renderToString(field)).toContain(`-fault">${atField}</p>`);
  expect(renderToString(h(FormFault, { form }))).toContain(`<p>${above}</p>`);
});
