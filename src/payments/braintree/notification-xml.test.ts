/** The XML of Braintree's notifications, and what is not accepted for it. */
import { expect, test } from 'vitest';
import { readXml } from './notification-xml.ts';

test('reads elements, arrays, nil, texts and declarations', () => {
  const xml = `<?xml version="1.0" encoding="UTF-8"?>
<notification>
  <kind>disbursement</kind>
  <subject><disbursement>
    <ids type="array"><item>a1</item><item>b2</item></ids>
    <none type='array'/>
    <message nil="true"/>
    <order-id>Tom &amp; Jerry &lt;3</order-id>
    <empty></empty>
  </disbursement></subject>
</notification>
`;
  const disbursement = { ids: ['a1', 'b2'], none: [], message: null, 'order-id': 'Tom & Jerry <3', empty: '' };
  expect(readXml(xml)).toEqual({ notification: { kind: 'disbursement', subject: { disbursement } } });
});

test.each([
  '',
  'text',
  '<a>',
  '</a>',
  '<a></b>',
  '<a></a><b></b>',
  '<a></a>text',
  '<a></a></a>',
  '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>',
  '<a b=c></a>',
  `${'<a>'.repeat(30)}${'</a>'.repeat(30)}`,
  `<a${' '.repeat(50_000)}`,
])('rejects %j', (xml) => {
  expect(readXml(xml)).toBeNull();
});

test('cannot change what objects inherit', () => {
  const read = readXml('<a><__proto__><polluted>yes</polluted></__proto__></a>');
  expect(Object.getPrototypeOf(read?.a)).toBe(Object.prototype);
  expect(Reflect.get({}, 'polluted')).toBeUndefined();
});
