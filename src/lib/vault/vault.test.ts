import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CannotOpen, createVault } from './vault.ts';

const [OLD, NEW] = [randomBytes(32), randomBytes(32)];

test('what is sealed opens, and is never the same twice', () => {
  const vault = createVault([OLD]);
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.string(), (text, context) => {
      const sealed = vault.seal(text, context);
      expect(vault.open(sealed, context)).toBe(text);
      expect(vault.seal(text, context)).not.toBe(sealed);
    }),
  );
});

test('a rotated key still opens what it sealed; the first one seals', () => {
  const sealed = createVault([OLD]).seal('secret', 'row');
  const rotated = createVault([NEW, OLD]);
  expect(rotated.open(sealed, 'row')).toBe('secret');
  const [newId] = rotated.seal('secret', 'row').split('.');
  expect(newId).not.toBe(sealed.split('.')[0]);
  expect([rotated.isCurrent(sealed), rotated.isCurrent(rotated.seal('secret', 'row'))]).toEqual([false, true]);
  expect(() => createVault([NEW]).open(sealed, 'row')).toThrow(CannotOpen);
});

test('nothing opens for another row, or changed in any bit', () => {
  const vault = createVault([OLD]);
  const sealed = vault.seal('secret', 'row');
  expect(() => vault.open(sealed, 'another')).toThrow(CannotOpen);
  const [id, body = ''] = sealed.split('.');
  const bytes = Buffer.from(body, 'base64url');
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    expect(() => vault.open(`${id}.${changed.toString('base64url')}`, 'row')).toThrow(CannotOpen);
  }
});

test.each(['', '.', 'x', 'x.y', `${'0'.repeat(8)}.${'A'.repeat(80)}`])('no sealed text: %j', (text) => {
  expect(() => createVault([OLD]).open(text, 'row')).toThrow(CannotOpen);
});

test('keys of another length are none', () => {
  expect(() => createVault([])).toThrow();
  expect(() => createVault([randomBytes(16)])).toThrow();
});

test('an error tells nothing of the secret', () => {
  const sealed = createVault([OLD]).seal('secret', 'row');
  expect(() => createVault([NEW]).open(sealed, 'row')).toThrow(/^a sealed secret cannot be opened: its key/);
});
