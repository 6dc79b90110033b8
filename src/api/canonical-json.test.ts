import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('sorts members, keeps lists in their order, drops white space', () => {
  expect(canonicalJson(JSON.parse('{ "b": [2, 1], "a": {"y": null, "x": "\\u00e9"} }'))).toBe(
    '{"a":{"x":"é","y":null},"b":[2,1]}',
  );
});

test('is JSON of the same value, and differs for another', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.jsonValue({ maxDepth: 5 }), (value, other) => {
      const text = canonicalJson(value) ?? '';
      const same = JSON.stringify(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      if (canonicalJson(other) !== text) expect(JSON.stringify(other)).not.toBe(same);
    }),
  );
});

test('no body is something of its own', () => {
  expect(canonicalJson(undefined)).toBe('none');
});

test('gives up on what is nested without end', () => {
  expect(canonicalJson(JSON.parse('['.repeat(30_000) + ']'.repeat(30_000)))).toBeNull();
});
