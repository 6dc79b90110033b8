import { expect, test } from 'vitest';
import { renderPart } from '../page/layout.tsx';
import { ColorField, colorIn } from './color.tsx';
import { unsent } from './fields.tsx';

test.each([
  ['the digits', { a: ' #24569B ' }, '#24569B'],
  [
    'the digits if the color input was left alone',
    { a: '#24569B', a_picked: '#000000', a_shown: '#000000' },
    '#24569B',
  ],
  ['no color if the digits were removed', { a: '', a_picked: '#24569b', a_shown: '#24569b' }, ''],
  ['the picked color', { a: '#24569B', a_picked: '#ffd400', a_shown: '#24569b' }, '#ffd400'],
  ['no color without a field', {}, ''],
])('reads %s', (_, fields, color) => {
  expect(colorIn(fields, 'a')).toBe(color);
});

test('shows a picked color in both inputs, and none as an empty text', () => {
  const htmlOf = (values: Record<string, string>) =>
    renderPart(<ColorField form={unsent(values)} name="a" label="Color" pick="Choose" />);
  const html = htmlOf({ a: '', a_picked: '#ffd400', a_shown: '#000000' });
  expect(html).toMatch(/name="a" maxlength="7" value="#ffd400"/);
  expect(html).toContain('<input type="color" name="a_picked" value="#ffd400" aria-label="Choose"/>');
  expect(html).toContain('<input type="hidden" name="a_shown" value="#ffd400"/>');
  expect(htmlOf({ a: 'red;}' })).toContain('name="a_picked" value="#000000"');
});
