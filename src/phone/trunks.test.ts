import { describe, expect, it } from 'vitest';
import { trustedTrunks } from './trunks.ts';

describe('trusted trunks', () => {
  const trusted = trustedTrunks(['192.0.2.0/24', '198.51.100.7', '2001:db8::/32']);

  it.each([
    ['192.0.2.255', true],
    ['192.0.3.0', false],
    ['198.51.100.7', true],
    ['198.51.100.8', false],
    ['2001:db8:1::9', true],
    ['2001:db9::1', false],
    ['::ffff:192.0.2.1', true],
    ['trunk.example.com', false],
    ['', false],
  ])('%s: %s', (address, expected) => {
    expect(trusted(address)).toBe(expected);
  });

  it('trusts nobody when none is named', () => {
    expect(trustedTrunks([])('127.0.0.1')).toBe(false);
  });
});
