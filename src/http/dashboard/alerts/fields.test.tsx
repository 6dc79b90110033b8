import { expect, test } from 'vitest';
import { unsent } from '../form/fields.tsx';
import { renderPart } from '../page/layout.tsx';
import { AlertFields, alertFormOf, DEFAULTS } from './fields.tsx';

test('keeps a chosen merchant that is not among the listed ones', () => {
  const form = unsent(alertFormOf({ ...DEFAULTS, time_zone: 'UTC', report_merchants: ['mer_new', 'mer_old'] }));
  const html = renderPart(<AlertFields form={form} merchants={[['mer_new', 'New Diner']]} />);
  const boxes = [...html.matchAll(/<input[^>]*name="report_merchants:(\w+)"[^>]*>/g)];
  expect(boxes.map(([box, id]) => [id, box.includes(' checked')])).toEqual([
    ['mer_new', true],
    ['mer_old', true],
  ]);
});
