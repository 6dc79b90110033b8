import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonFault, jsonMembers } from './json-members.ts';

test('values come as they were written', () => {
  const json = String.raw` { "a" : {"b" : [1, "}"] , "c":"\""} ,"\u0061b":-1.0e5,"d": [ ] , "":"" } `;
  expect(jsonMembers(json)).toEqual([
    { name: 'a', text: String.raw`{"b" : [1, "}"] , "c":"\""}` },
    { name: 'ab', text: '-1.0e5' },
    { name: 'd', text: '[ ]' },
    { name: '', text: '""' },
  ]);
});

test('an empty object has no members', () => {
  expect(jsonMembers(' { } ')).toEqual([]);
});

test('whatever JSON says, the members are what JSON.parse finds', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(3), (value, indent) => {
      const json = JSON.stringify(value, null, indent);
      const members = Object.fromEntries(jsonMembers(json).map(({ name, text }) => [name, JSON.parse(text)]));
      expect(members).toEqual(JSON.parse(json));
      expect(jsonFault(json)).toBeNull();
    }),
  );
});

test.each([
  ['{"a":1,"b":2,"\\u0061":3}', ['a']],
  ['{"a":{"b":1,"b":2}}', ['a', 'b']],
  ['{"a":[{"b":1},[],{"c":1,"d":"c","c":{}}]}', ['a', '2', 'c']],
  ['[{"":1,"":2}]', ['0', '']],
])('%s gives a name twice', (json, path) => {
  expect(jsonFault(json)).toEqual({ kind: 'repeated', path });
});

test.each(['{"a":{"b":1},"b":{"b":1}}', '{"a":["a","a"],"b":"a"}', '[{"a":1},{"a":1}]', '"a"', '1', '{}', '[]'])(
  '%s gives none twice',
  (json) => {
    expect(jsonFault(json)).toBeNull();
  },
);

test.each([
  [`{"a":1,"b":${'['.repeat(31)}${']'.repeat(31)}}`, null],
  [`{"a":1,"b":${'['.repeat(32)}${']'.repeat(32)}}`, { kind: 'deep', path: ['b'] }],
  [`{"a":${'{"b":'.repeat(32)}1${'}'.repeat(32)}}`, { kind: 'deep', path: ['a'] }],
])('%s is nested deeper than 32, or not', (json, fault) => {
  expect(jsonFault(json)).toEqual(fault);
});

test('64 KiB of anything takes no time', () => {
  const started = performance.now();
  for (const json of [`{"a":"${'\\\\'.repeat(32_000)}"}`, `{"a":${'['.repeat(32_000)}${']'.repeat(32_000)}}`]) {
    expect(jsonMembers(json)).toHaveLength(1);
    expect(jsonFault(json)?.kind ?? 'none').not.toBe('repeated');
  }
  expect(performance.now() - started).toBeLessThan(2_000);
});
